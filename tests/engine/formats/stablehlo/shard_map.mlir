module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]>
  func.func public @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<512x512xf32>, tensor<f32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, []>] manual_axes={"x"} (%arg2: tensor<512x512xf32>, %arg3: tensor<32x512xf32>) {
      %1 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.multiply %1, %1 : tensor<32x512xf32>
      %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x512xf32>, tensor<f32>) -> tensor<f32>
      %4 = stablehlo.dot_general %arg3, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x512xf32>, tensor<32x512xf32>) -> tensor<512x512xf32>
      %5:2 = "stablehlo.all_reduce"(%4, %3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %8 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %8 : tensor<f32>
      }) : (tensor<512x512xf32>, tensor<f32>) -> (tensor<512x512xf32>, tensor<f32>)
      %6 = stablehlo.subtract %arg2, %5#0 : tensor<512x512xf32>
      sdy.return %6, %5#1 : tensor<512x512xf32>, tensor<f32>
    } : (tensor<512x512xf32>, tensor<256x512xf32>) -> (tensor<512x512xf32>, tensor<f32>)
    return %0#0, %0#1 : tensor<512x512xf32>, tensor<f32>
  }
}
