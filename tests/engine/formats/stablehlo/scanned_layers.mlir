module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12x256x256xbf16> {jax.buffer_donor = true}, %arg1: tensor<8x256xbf16>) -> (tensor<8x256xbf16> {jax.result_info = ""}, tensor<12x8x256xbf16>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<12x8x256xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg1, %iterArg_2 = %0) : tensor<12x256x256xbf16>, tensor<i32>, tensor<8x256xbf16>, tensor<12x8x256xbf16>
     cond {
      %c_3 = stablehlo.constant dense<12> : tensor<i32>
      %2 = stablehlo.compare  LT, %iterArg_0, %c_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare  LT, %iterArg_0, %c_3,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_4 = stablehlo.constant dense<12> : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %c_4 : tensor<i32>
      %4 = stablehlo.select %2, %3, %iterArg_0 : tensor<i1>, tensor<i32>
      %5 = stablehlo.dynamic_slice %iterArg, %4, %c_3, %c_3, sizes = [1, 256, 256] : (tensor<12x256x256xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x256x256xbf16>
      %6 = stablehlo.reshape %5 : (tensor<1x256x256xbf16>) -> tensor<256x256xbf16>
      %7:2 = func.call @layer(%iterArg_1, %6) : (tensor<8x256xbf16>, tensor<256x256xbf16>) -> (tensor<8x256xbf16>, tensor<8x256xbf16>)
      %8 = stablehlo.broadcast_in_dim %7#1, dims = [1, 2] : (tensor<8x256xbf16>) -> tensor<1x8x256xbf16>
      %9 = stablehlo.dynamic_update_slice %iterArg_2, %8, %4, %c_3, %c_3 : (tensor<12x8x256xbf16>, tensor<1x8x256xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x256xbf16>
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.add %iterArg_0, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %10, %7#0, %9 : tensor<12x256x256xbf16>, tensor<i32>, tensor<8x256xbf16>, tensor<12x8x256xbf16>
    }
    return %1#2, %1#3 : tensor<8x256xbf16>, tensor<12x8x256xbf16>
  }
  func.func private @layer(%arg0: tensor<8x256xbf16>, %arg1: tensor<256x256xbf16>) -> (tensor<8x256xbf16>, tensor<8x256xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x256xbf16>, tensor<256x256xbf16>) -> tensor<8x256xbf16>
    %1 = stablehlo.tanh %0 : tensor<8x256xbf16>
    return %1, %0 : tensor<8x256xbf16>, tensor<8x256xbf16>
  }
}
