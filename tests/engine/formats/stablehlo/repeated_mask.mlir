func.func @main(%x: tensor<128x64x64xf32>, %m: tensor<64x64xf32>) -> tensor<128x64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %mask = stablehlo.tanh %m : tensor<64x64xf32>
  %all = stablehlo.broadcast_in_dim %mask, dims = [1, 2] : (tensor<64x64xf32>) -> tensor<128x64x64xf32>
  %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %all) : tensor<i32>, tensor<128x64x64xf32>, tensor<128x64x64xf32>
  cond {
    %last = stablehlo.constant dense<12> : tensor<i32>
    %c = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.multiply %a, %b : tensor<128x64x64xf32>
    stablehlo.return %j, %d, %b : tensor<i32>, tensor<128x64x64xf32>, tensor<128x64x64xf32>
  }
  return %r#1 : tensor<128x64x64xf32>
}
