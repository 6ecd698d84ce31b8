#loc1 = loc("params['w1']")
module @jit_step attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x128xf32> {tf.aliasing_output = 0 : i32} loc("w1"), %arg1: tensor<128xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<128x10xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x64xf32>, %arg4: tensor<32xi32>) -> (tensor<64x128xf32> {jax.result_info = "[0]['w1']"}, tensor<128xf32> {jax.result_info = "[0]['b1']"}, tensor<128x10xf32>, tensor<f32> {jax.result_info = "[1]"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x64xf32>, tensor<64x128xf32>) -> tensor<32x128xf32> loc(#loc1)
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x128xf32>) -> tensor<32x128xf32>
    %3 = stablehlo.add %0, %2 : tensor<32x128xf32>
    %4:2 = call @relu(%3) : (tensor<32x128xf32>) -> (tensor<32x128xf32>, tensor<32x128xi1>)
    %5 = stablehlo.dot_general %4#0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<128x10xf32>) -> tensor<32x10xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
    %8 = stablehlo.subtract %5, %7 : tensor<32x10xf32>
    %9 = stablehlo.exponential %8 : tensor<32x10xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
    %11 = stablehlo.log %10 : tensor<32xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
    %13 = stablehlo.iota dim = 0 : tensor<10xi32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [1] : (tensor<10xi32>) -> tensor<1x10xi32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<32x1xi32>) -> tensor<32x10xi32>
    %16 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<1x10xi32>) -> tensor<32x10xi32>
    %17 = stablehlo.compare  EQ, %15, %16,  SIGNED : (tensor<32x10xi32>, tensor<32x10xi32>) -> tensor<32x10xi1>
    %18 = stablehlo.convert %17 : (tensor<32x10xi1>) -> tensor<32x10xf32>
    %19 = stablehlo.multiply %8, %18 : tensor<32x10xf32>
    %20 = stablehlo.reduce(%19 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<32x10xf32>, tensor<f32>) -> tensor<32xf32>
    %21 = stablehlo.subtract %11, %20 : tensor<32xf32>
    %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %23 = stablehlo.divide %22, %cst_1 : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<32xf32>) -> tensor<32x10xf32>
    %25 = stablehlo.divide %9, %24 : tensor<32x10xf32>
    %26 = stablehlo.subtract %25, %18 : tensor<32x10xf32>
    %cst_2 = stablehlo.constant dense<3.125000e-02> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32x10xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<32x10xf32>
    %29 = stablehlo.dot_general %28, %4#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x10xf32>, tensor<32x128xf32>) -> tensor<10x128xf32>
    %30 = stablehlo.transpose %29, dims = [1, 0] : (tensor<10x128xf32>) -> tensor<128x10xf32>
    %31 = stablehlo.dot_general %28, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<32x10xf32>, tensor<128x10xf32>) -> tensor<32x128xf32>
    %32 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %33 = stablehlo.select %4#1, %31, %32 : tensor<32x128xi1>, tensor<32x128xf32>
    %34 = stablehlo.reduce(%33 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<32x128xf32>, tensor<f32>) -> tensor<128xf32>
    %35 = stablehlo.dot_general %33, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x128xf32>, tensor<32x64xf32>) -> tensor<128x64xf32>
    %36 = stablehlo.transpose %35, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %cst_3 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %38 = stablehlo.multiply %37, %36 : tensor<64x128xf32>
    %39 = stablehlo.subtract %arg0, %38 : tensor<64x128xf32>
    %40 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %41 = stablehlo.multiply %40, %34 : tensor<128xf32>
    %42 = stablehlo.subtract %arg1, %41 : tensor<128xf32>
    %43 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<128x10xf32>
    %44 = stablehlo.multiply %43, %30 : tensor<128x10xf32>
    %45 = stablehlo.subtract %arg2, %44 : tensor<128x10xf32>
    return %39, %42, %45, %23 : tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<32x128xf32>) -> (tensor<32x128xf32>, tensor<32x128xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x128xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<32x128xf32>
    %2 = stablehlo.compare  GT, %arg0, %0,  FLOAT : (tensor<32x128xf32>, tensor<32x128xf32>) -> tensor<32x128xi1>
    return %1, %2 : tensor<32x128xf32>, tensor<32x128xi1>
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
