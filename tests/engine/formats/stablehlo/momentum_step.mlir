func.func @main(%w: tensor<8x16xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<8x16xf32> {tf.aliasing_output = 1 : i32}, %t: tensor<i32> {tf.aliasing_output = 2 : i32}, %x: tensor<4x8xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %y = call @product(%x, %w, %m) : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %r:3 = stablehlo.while(%i = %zero, %a = %y, %b = %m) : tensor<i32>, tensor<4x16xf32>, tensor<8x16xf32>
  cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %d = stablehlo.add %a, %a : tensor<4x16xf32>
    %e = stablehlo.add %b, %w : tensor<8x16xf32>
    stablehlo.return %j, %d, %e : tensor<i32>, tensor<4x16xf32>, tensor<8x16xf32>
  }
  %loss = stablehlo.reduce(%r#1 init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
  %next = stablehlo.subtract %w, %r#2 : tensor<8x16xf32>
  %step = stablehlo.add %t, %one : tensor<i32>
  return %next, %r#2, %step, %loss : tensor<8x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<f32>
}
func.func private @product(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %m: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
