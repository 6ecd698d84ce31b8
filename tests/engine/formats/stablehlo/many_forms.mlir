// One of each operation that JAX writes, in the form that it writes.
module @jit_forms attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<8xi32>, %arg3: tensor<4x8xbf16>, %arg4: tensor<2xui64> {mhlo.sharding = "{replicated}"}, %arg5: tensor<i32>) -> (tensor<4x8xf32> {jax.result_info = ""}, tensor<8xi32>, tensor<4xi32>, tensor<4x8xf32>, tensor<2xui64>, tensor<4x4xf32>) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.abs %0 : tensor<4x8xf32>
    %2 = stablehlo.negate %1 : tensor<4x8xf32>
    %3 = chlo.erf %2 : tensor<4x8xf32> -> tensor<4x8xf32>
    %4 = stablehlo.power %3, %arg1 : tensor<4x8xf32>
    %5 = stablehlo.rsqrt %4 : tensor<4x8xf32>
    %6 = stablehlo.log_plus_one %5 : tensor<4x8xf32>
    %7 = stablehlo.logistic %6 : tensor<4x8xf32>
    %8 = stablehlo.cosine %7 : tensor<4x8xf32>
    %9 = stablehlo.sine %8 : tensor<4x8xf32>
    %10 = stablehlo.exponential_minus_one %9 : tensor<4x8xf32>
    %11 = stablehlo.is_finite %10 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %12 = stablehlo.not %11 : tensor<4x8xi1>
    %13 = stablehlo.or %11, %12 : tensor<4x8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.clamp %cst, %10, %cst_0 : (tensor<f32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %16 = stablehlo.select %13, %14, %15 : tensor<4x8xi1>, tensor<4x8xf32>
    %17 = stablehlo.reduce_precision %16, format = e8m7 : tensor<4x8xf32>
    %18 = stablehlo.convert %17 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
    %19 = stablehlo.minimum %18, %arg3 : tensor<4x8xbf16>
    %20 = stablehlo.convert %19 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
    %21:2 = stablehlo.optimization_barrier %20, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>
    %22 = stablehlo.pad %21#0, %cst, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    %23 = stablehlo.slice %22 [0:4, 0:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %24 = stablehlo.reverse %23, dims = [1] : tensor<4x4xf32>
    %25 = stablehlo.concatenate %23, %24, dim = 1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %27 = stablehlo.dot_general %25, %26, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %28:2 = "stablehlo.sort"(%arg2, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<i32>, %arg9: tensor<i32>):
      %50 = stablehlo.compare  LT, %arg6, %arg7,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %50 : tensor<i1>
    }) : (tensor<8xi32>, tensor<8xi32>) -> (tensor<8xi32>, tensor<8xi32>)
    %c = stablehlo.constant dense<3> : tensor<8xi32>
    %29 = stablehlo.shift_left %28#1, %c : tensor<8xi32>
    %30 = stablehlo.shift_right_logical %29, %c : tensor<8xi32>
    %31 = stablehlo.xor %30, %c : tensor<8xi32>
    %32 = stablehlo.and %31, %c : tensor<8xi32>
    %33 = stablehlo.remainder %32, %c : tensor<8xi32>
    %34 = stablehlo.iota dim = 1 : tensor<4x8xi32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %35:2 = stablehlo.reduce(%25 init: %cst_1), (%34 init: %c_2) across dimensions = [1] : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
     reducer(%arg6: tensor<f32>, %arg8: tensor<f32>) (%arg7: tensor<i32>, %arg9: tensor<i32>)  {
      %50 = stablehlo.compare  GT, %arg6, %arg8,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %51 = stablehlo.select %50, %arg6, %arg8 : tensor<i1>, tensor<f32>
      %52 = stablehlo.select %50, %arg7, %arg9 : tensor<i1>, tensor<i32>
      stablehlo.return %51, %52 : tensor<f32>, tensor<i32>
    }
    %output_state, %output = stablehlo.rng_bit_generator %arg4, algorithm =  DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x8xui32>)
    %36 = stablehlo.convert %output : (tensor<4x8xui32>) -> tensor<4x8xf32>
    %37 = stablehlo.bitcast_convert %36 : (tensor<4x8xf32>) -> tensor<4x8xi32>
    %38 = stablehlo.round_nearest_even %36 : tensor<4x8xf32>
    %39 = stablehlo.dynamic_slice %38, %arg5, %arg5, sizes = [4, 4] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x4xf32>
    %40 = stablehlo.dynamic_update_slice %38, %39, %arg5, %arg5 : (tensor<4x8xf32>, tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %41 = "stablehlo.case"(%arg5) ({
      stablehlo.return %38 : tensor<4x8xf32>
    }, {
      %50 = stablehlo.sqrt %38 : tensor<4x8xf32>
      stablehlo.return %50 : tensor<4x8xf32>
    }) : (tensor<i32>) -> tensor<4x8xf32>
    %42 = stablehlo.composite "chlo.gelu" %41 {decomposition = @gelu} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %43 = stablehlo.add %40, %42 : tensor<4x8xf32>
    %44 = stablehlo.reduce(%arg2 init: %c_2) applies stablehlo.minimum across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %46 = stablehlo.add %33, %45 : tensor<8xi32>
    return %43, %46, %35#1, %25, %output_state, %27 : tensor<4x8xf32>, tensor<8xi32>, tensor<4xi32>, tensor<4x8xf32>, tensor<2xui64>, tensor<4x4xf32>
  }
  func.func private @gelu(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<4x8xf32>
    return %0 : tensor<4x8xf32>
  }
}
