module @jit_train attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x8xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<3x3x8x8xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<3x3x1x8xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<8x5xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<3x3x3x8xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<3x3x8x8xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<3x3x1x8xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8x5xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<8xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<8x8x8x3xf32>, %arg11: tensor<8xi32>) -> (tensor<3x3x3x8xf32> {jax.result_info = "result[0]['a']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[0]['b']"}, tensor<3x3x1x8xf32> {jax.result_info = "result[0]['d']"}, tensor<8x5xf32> {jax.result_info = "result[0]['out']"}, tensor<8xf32> {jax.result_info = "result[0]['scale']"}, tensor<3x3x3x8xf32> {jax.result_info = "result[1]['a']"}, tensor<3x3x8x8xf32> {jax.result_info = "result[1]['b']"}, tensor<3x3x1x8xf32> {jax.result_info = "result[1]['d']"}, tensor<8x5xf32> {jax.result_info = "result[1]['out']"}, tensor<8xf32> {jax.result_info = "result[1]['scale']"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.convolution(%arg10, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x8x8x3xf32>, tensor<3x3x3x8xf32>) -> tensor<8x8x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.divide %1, %2 : tensor<8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %6 = stablehlo.subtract %0, %5 : tensor<8x8x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = call @_var(%0, %c) : (tensor<8x8x8x8xf32>, tensor<i32>) -> (tensor<8xf32>, tensor<8x8x8x8xf32>, tensor<f32>, tensor<i1>)
    %cst_1 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.add %7#0, %8 : tensor<8xf32>
    %10 = stablehlo.sqrt %9 : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.divide %11, %10 : tensor<8xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %15 = stablehlo.divide %6, %14 : tensor<8x8x8x8xf32>
    %16 = stablehlo.multiply %13, %13 : tensor<1x1x1x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %18 = stablehlo.divide %17, %16 : tensor<1x1x1x8xf32>
    %19 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %21 = stablehlo.multiply %15, %20 : tensor<8x8x8x8xf32>
    %22 = call @relu(%21) : (tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %24 = stablehlo.compare GT, %21, %23, FLOAT : (tensor<8x8x8x8xf32>, tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xi1>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.reduce_window"(%22, %25) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %155 = stablehlo.maximum %arg12, %arg13 : tensor<f32>
      stablehlo.return %155 : tensor<f32>
    }) : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x4x4x8xf32>
    %27 = stablehlo.convolution(%26, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x4x4x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x2x2x8xf32>
    %28 = stablehlo.convolution(%26, %arg2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x4x4x8xf32>, tensor<3x3x1x8xf32>) -> tensor<8x2x2x8xf32>
    %29 = stablehlo.add %27, %28 : tensor<8x2x2x8xf32>
    %30 = stablehlo.multiply %29, %29 : tensor<8x2x2x8xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<8x2x2x8xf32>
    %32 = stablehlo.multiply %29, %29 : tensor<8x2x2x8xf32>
    %cst_6 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %34 = stablehlo.multiply %33, %32 : tensor<8x2x2x8xf32>
    %cst_7 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %36 = stablehlo.multiply %35, %31 : tensor<8x2x2x8xf32>
    %37 = stablehlo.add %29, %36 : tensor<8x2x2x8xf32>
    %cst_8 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<8x2x2x8xf32>
    %40 = stablehlo.tanh %39 : tensor<8x2x2x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %42 = stablehlo.subtract %41, %40 : tensor<8x2x2x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %44 = stablehlo.add %43, %40 : tensor<8x2x2x8xf32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<8x2x2x8xf32>
    %47 = stablehlo.multiply %29, %46 : tensor<8x2x2x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_12) applies stablehlo.add across dimensions = [1, 2] : (tensor<8x2x2x8xf32>, tensor<f32>) -> tensor<8x8xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %50 = stablehlo.divide %48, %49 : tensor<8x8xf32>
    %51 = stablehlo.dot_general %50, %arg3, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %52:3 = call @log_softmax(%51) : (tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>)
    %53 = stablehlo.broadcast_in_dim %arg11, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %54:2 = call @take_along_axis(%52#0, %53) : (tensor<8x5xf32>, tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>)
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54#0 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_15 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %56 = stablehlo.divide %55, %cst_15 : tensor<f32>
    %57 = stablehlo.negate %56 : tensor<f32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.negate %cst_16 : tensor<f32>
    %cst_17 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %59 = stablehlo.divide %58, %cst_17 : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %61 = call @take_along_axis_0(%54#1, %60) : (tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    %62 = call @log_softmax_1(%52#1, %52#2, %61) : (tensor<8x5xf32>, tensor<8x1xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
    %63 = stablehlo.dot_general %62, %50, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x5xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
    %64 = stablehlo.transpose %63, dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
    %65 = stablehlo.dot_general %62, %arg3, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x8xf32>
    %cst_18 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %67 = stablehlo.divide %65, %66 : tensor<8x8xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 3] : (tensor<8x8xf32>) -> tensor<8x2x2x8xf32>
    %69 = stablehlo.multiply %29, %68 : tensor<8x2x2x8xf32>
    %70 = stablehlo.multiply %68, %46 : tensor<8x2x2x8xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %72 = stablehlo.multiply %71, %69 : tensor<8x2x2x8xf32>
    %73 = stablehlo.multiply %72, %42 : tensor<8x2x2x8xf32>
    %74 = stablehlo.multiply %73, %40 : tensor<8x2x2x8xf32>
    %75 = stablehlo.add %73, %74 : tensor<8x2x2x8xf32>
    %cst_20 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<8x2x2x8xf32>
    %78 = stablehlo.add %70, %77 : tensor<8x2x2x8xf32>
    %cst_21 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x2x2x8xf32>
    %80 = stablehlo.multiply %79, %77 : tensor<8x2x2x8xf32>
    %81 = stablehlo.multiply %80, %34 : tensor<8x2x2x8xf32>
    %82 = stablehlo.add %78, %81 : tensor<8x2x2x8xf32>
    %83 = stablehlo.convolution(%26, %82) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 8 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x4x4x8xf32>, tensor<8x2x2x8xf32>) -> tensor<3x3x1x8xf32>
    %84 = stablehlo.reshape %arg2 : (tensor<3x3x1x8xf32>) -> tensor<3x3x1x8x1xf32>
    %85 = stablehlo.transpose %84, dims = [0, 1, 3, 2, 4] : (tensor<3x3x1x8x1xf32>) -> tensor<3x3x8x1x1xf32>
    %86 = stablehlo.reshape %85 : (tensor<3x3x8x1x1xf32>) -> tensor<3x3x8x1xf32>
    %87 = stablehlo.reverse %86, dims = [0, 1] : tensor<3x3x8x1xf32>
    %88 = stablehlo.convolution(%82, %87) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x2x2x8xf32>, tensor<3x3x8x1xf32>) -> tensor<8x4x4x8xf32>
    %89 = stablehlo.convolution(%26, %82) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x4x4x8xf32>, tensor<8x2x2x8xf32>) -> tensor<3x3x8x8xf32>
    %90 = stablehlo.reverse %arg1, dims = [0, 1] : tensor<3x3x8x8xf32>
    %91 = stablehlo.convolution(%82, %90) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x2x2x8xf32>, tensor<3x3x8x8xf32>) -> tensor<8x4x4x8xf32>
    %92 = stablehlo.add %88, %91 : tensor<8x4x4x8xf32>
    %cst_22 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.pad %22, %cst_22, low = [0, 0, 0, 0], high = [0, 1, 1, 0], interior = [0, 0, 0, 0] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8x9x9x8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = "stablehlo.select_and_scatter"(%93, %92, %cst_23) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %155 = stablehlo.compare GE, %arg12, %arg13, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %155 : tensor<i1>
    }, {
    ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
      %155 = stablehlo.add %arg12, %arg13 : tensor<f32>
      stablehlo.return %155 : tensor<f32>
    }) : (tensor<8x9x9x8xf32>, tensor<8x4x4x8xf32>, tensor<f32>) -> tensor<8x9x9x8xf32>
    %95 = stablehlo.slice %94 [0:8, 0:8, 0:8, 0:8] : (tensor<8x9x9x8xf32>) -> tensor<8x8x8x8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %97 = stablehlo.select %24, %95, %96 : tensor<8x8x8x8xi1>, tensor<8x8x8x8xf32>
    %98 = stablehlo.multiply %15, %97 : tensor<8x8x8x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%98 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %100 = stablehlo.reshape %99 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %101 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %102 = stablehlo.multiply %97, %101 : tensor<8x8x8x8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%100 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %104 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %105 = stablehlo.multiply %102, %104 : tensor<8x8x8x8xf32>
    %106 = stablehlo.multiply %105, %6 : tensor<8x8x8x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%106 init: %cst_27) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %108 = stablehlo.reshape %107 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %109 = stablehlo.negate %108 : tensor<1x1x1x8xf32>
    %110 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %111 = stablehlo.divide %102, %110 : tensor<8x8x8x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%109 init: %cst_28) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %113 = stablehlo.multiply %112, %12 : tensor<8xf32>
    %114 = call @_var_2(%7#1, %7#2, %7#3, %113) : (tensor<8x8x8x8xf32>, tensor<f32>, tensor<i1>, tensor<8xf32>) -> tensor<8x8x8x8xf32>
    %115 = stablehlo.negate %111 : tensor<8x8x8x8xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%115 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %117 = stablehlo.reshape %116 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %118 = stablehlo.add %114, %111 : tensor<8x8x8x8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%117 init: %cst_30) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_31 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %121 = stablehlo.divide %119, %120 : tensor<8xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [3] : (tensor<8xf32>) -> tensor<8x8x8x8xf32>
    %123 = stablehlo.add %118, %122 : tensor<8x8x8x8xf32>
    %124 = stablehlo.convolution(%arg10, %123) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<8x8x8x3xf32>, tensor<8x8x8x8xf32>) -> tensor<3x3x3x8xf32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %126 = stablehlo.multiply %125, %arg5 : tensor<3x3x3x8xf32>
    %127 = stablehlo.add %126, %124 : tensor<3x3x3x8xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %129 = stablehlo.multiply %128, %arg6 : tensor<3x3x8x8xf32>
    %130 = stablehlo.add %129, %89 : tensor<3x3x8x8xf32>
    %cst_34 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<3x3x1x8xf32>
    %132 = stablehlo.multiply %131, %arg7 : tensor<3x3x1x8xf32>
    %133 = stablehlo.add %132, %83 : tensor<3x3x1x8xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %135 = stablehlo.multiply %134, %arg8 : tensor<8x5xf32>
    %136 = stablehlo.add %135, %64 : tensor<8x5xf32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %138 = stablehlo.multiply %137, %arg9 : tensor<8xf32>
    %139 = stablehlo.add %138, %103 : tensor<8xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3x3x3x8xf32>
    %141 = stablehlo.multiply %140, %127 : tensor<3x3x3x8xf32>
    %142 = stablehlo.subtract %arg0, %141 : tensor<3x3x3x8xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<3x3x8x8xf32>
    %144 = stablehlo.multiply %143, %130 : tensor<3x3x8x8xf32>
    %145 = stablehlo.subtract %arg1, %144 : tensor<3x3x8x8xf32>
    %cst_39 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x3x1x8xf32>
    %147 = stablehlo.multiply %146, %133 : tensor<3x3x1x8xf32>
    %148 = stablehlo.subtract %arg2, %147 : tensor<3x3x1x8xf32>
    %cst_40 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %150 = stablehlo.multiply %149, %136 : tensor<8x5xf32>
    %151 = stablehlo.subtract %arg3, %150 : tensor<8x5xf32>
    %cst_41 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %153 = stablehlo.multiply %152, %139 : tensor<8xf32>
    %154 = stablehlo.subtract %arg4, %153 : tensor<8xf32>
    return %142, %145, %148, %151, %154, %127, %130, %133, %136, %139, %57 : tensor<3x3x3x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x1x8xf32>, tensor<8x5xf32>, tensor<8xf32>, tensor<3x3x3x8xf32>, tensor<3x3x8x8xf32>, tensor<3x3x1x8xf32>, tensor<8x5xf32>, tensor<8xf32>, tensor<f32>
  }
  func.func private @_var(%arg0: tensor<8x8x8x8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8x8x8x8xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_0 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x1x1x8xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x8x8x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x8x8x8xf32>
    %6 = chlo.square %5 : tensor<8x8x8x8xf32> -> tensor<8x8x8x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<8x8x8x8xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.divide %11, %12 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = call @_where(%14, %13, %cst_5) : (tensor<i1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %15, %8, %10, %14 : tensor<8xf32>, tensor<8x8x8x8xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @relu(%arg0: tensor<8x8x8x8xf32>) -> tensor<8x8x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x8x8xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x8x8x8xf32>
    return %1 : tensor<8x8x8x8xf32>
  }
  func.func private @log_softmax(%arg0: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x5xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x5xf32>
    %6 = stablehlo.exponential %5 : tensor<8x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %9 = stablehlo.log %8 : tensor<8x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x5xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<8x5xf32>
    return %11, %6, %8 : tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<8x5xf32>, %arg1: tensor<8x1xi32>) -> (tensor<8x1xf32>, tensor<8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x1xi32>, tensor<8x1xi32>) -> tensor<8x1xi1>
    %c_0 = stablehlo.constant dense<5> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<8x1xi1>, tensor<8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<8x1xi32>) -> tensor<8x1x1xi32>
    %c_1 = stablehlo.constant dense<4> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<8x1x1xi1>, tensor<i1>) -> tensor<8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<8x5xf32>, tensor<8x1x1xi32>) -> tensor<8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<8x1xi1>, tensor<8x1xf32>
    return %15, %5 : tensor<8x1xf32>, tensor<8x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<8x1x1xi32>, %arg1: tensor<8x1xf32>) -> tensor<8x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x5xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<8x5xf32>, tensor<8x1x1xi32>, tensor<8x1xf32>) -> tensor<8x5xf32>
    return %1 : tensor<8x5xf32>
  }
  func.func private @log_softmax_1(%arg0: tensor<8x5xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x5xf32>) -> tensor<8x5xf32> {
    %0 = stablehlo.negate %arg2 : tensor<8x5xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.reshape %1 : (tensor<8xf32>) -> tensor<8x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<8x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<8x5xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<8x5xf32>
    return %7 : tensor<8x5xf32>
  }
  func.func private @_var_2(%arg0: tensor<8x8x8x8xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<8xf32>) -> tensor<8x8x8x8xf32> {
    %0 = call @_where_3(%arg2, %arg3) : (tensor<i1>, tensor<8xf32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [3] : (tensor<8xf32>) -> tensor<8x8x8x8xf32>
    %4 = stablehlo.multiply %3, %arg0 : tensor<8x8x8x8xf32>
    %5 = stablehlo.negate %4 : tensor<8x8x8x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x8x8x8xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.reshape %6 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %cst_0 = stablehlo.constant dense<5.120000e+02> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1x1x8xf32>
    %9 = stablehlo.divide %7, %8 : tensor<1x1x1x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [3] : (tensor<8xf32>) -> tensor<8x8x8x8xf32>
    %12 = stablehlo.add %4, %11 : tensor<8x8x8x8xf32>
    return %12 : tensor<8x8x8x8xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<8xf32>
    return %1 : tensor<8xf32>
  }
}
