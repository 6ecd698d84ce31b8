module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["d"=8]> {stablehlo.mesh = {axes = [{name = "d", size = 8 : i64}]}}
  func.func public @main(%arg0: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 0 : i32}, %arg1: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 1 : i32}, %arg2: tensor<4096x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, tf.aliasing_output = 2 : i32}, %arg3: tensor<8192x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}, %arg4: tensor<8192x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {}]>}) -> (tensor<4096x4096xf32> {jax.result_info = "result['a']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4096x4096xf32> {jax.result_info = "result['b']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4096x4096xf32> {jax.result_info = "result['c']", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<4096x4096xf32>) -> tensor<8192x4096xf32>
    %1 = call @relu(%0) : (tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<8192x4096xi1>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<4096x4096xf32>) -> tensor<8192x4096xf32>
    %5 = call @relu(%4) : (tensor<8192x4096xf32>) -> tensor<8192x4096xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %7 = stablehlo.compare GT, %4, %6, FLOAT : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<8192x4096xi1>
    %8 = stablehlo.dot_general %5, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<4096x4096xf32>) -> tensor<8192x4096xf32>
    %9 = stablehlo.subtract %8, %arg4 : tensor<8192x4096xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<8192x4096xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<0x4C000000> : tensor<f32>
    %12 = stablehlo.divide %cst_2, %cst_3 : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<8192x4096xf32>
    %15 = stablehlo.dot_general %14, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<4096x4096xf32>
    %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %17 = stablehlo.dot_general %14, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<4096x4096xf32>) -> tensor<8192x4096xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %19 = stablehlo.select %7, %17, %18 : tensor<8192x4096xi1>, tensor<8192x4096xf32>
    %20 = stablehlo.dot_general %19, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<4096x4096xf32>
    %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %22 = stablehlo.dot_general %19, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<4096x4096xf32>) -> tensor<8192x4096xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %24 = stablehlo.select %3, %22, %23 : tensor<8192x4096xi1>, tensor<8192x4096xf32>
    %25 = stablehlo.dot_general %24, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8192x4096xf32>, tensor<8192x4096xf32>) -> tensor<4096x4096xf32>
    %26 = stablehlo.transpose %25, dims = [1, 0] : (tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %cst_6 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<4096x4096xf32>
    %29 = stablehlo.subtract %arg0, %28 : tensor<4096x4096xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
    %31 = stablehlo.multiply %30, %21 : tensor<4096x4096xf32>
    %32 = stablehlo.subtract %arg1, %31 : tensor<4096x4096xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4096x4096xf32>
    %34 = stablehlo.multiply %33, %16 : tensor<4096x4096xf32>
    %35 = stablehlo.subtract %arg2, %34 : tensor<4096x4096xf32>
    return %29, %32, %35 : tensor<4096x4096xf32>, tensor<4096x4096xf32>, tensor<4096x4096xf32>
  }
  func.func private @relu(%arg0: tensor<8192x4096xf32>) -> tensor<8192x4096xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8192x4096xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8192x4096xf32>
    return %1 : tensor<8192x4096xf32>
  }
}
