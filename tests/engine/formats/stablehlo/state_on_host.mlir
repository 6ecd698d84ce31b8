func.func @main(%w: tensor<512x1024xf32> {mhlo.memory_kind = "device", tf.aliasing_output = 0 : i32},
    %m: tensor<512x1024xf32> {mhlo.memory_kind = "pinned_host", tf.aliasing_output = 1 : i32},
    %x: tensor<256x512xf32>) -> (tensor<512x1024xf32>,
    tensor<512x1024xf32> {mhlo.memory_kind = "pinned_host"}, tensor<f32>) {
  %here = stablehlo.custom_call @annotate_device_placement(%m) {mhlo.frontend_attributes =
      {_xla_buffer_placement = "device"}} : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
      : (tensor<256x512xf32>, tensor<512x1024xf32>) -> tensor<256x1024xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<256x1024xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0]
      : (tensor<256x512xf32>, tensor<256x1024xf32>) -> tensor<512x1024xf32>
  %next = stablehlo.add %here, %g : tensor<512x1024xf32>
  %v = stablehlo.subtract %w, %next : tensor<512x1024xf32>
  %there = stablehlo.custom_call @annotate_device_placement(%next) {mhlo.frontend_attributes =
      {_xla_buffer_placement = "pinned_host"}} : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
  return %v, %there, %loss : tensor<512x1024xf32>, tensor<512x1024xf32>, tensor<f32>
}
