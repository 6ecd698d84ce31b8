module @jit_step attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x128xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<128xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<128x10xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<10xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<?x64xf32>, %arg5: tensor<?xi32>) -> (tensor<64x128xf32> {jax.result_info = "result[0][0]"}, tensor<128xf32> {jax.result_info = "result[0][1]"}, tensor<128x10xf32> {jax.result_info = "result[0][2]"}, tensor<10xf32> {jax.result_info = "result[0][3]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg4, dim = 0 : (tensor<?x64xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg5, dim = 0 : (tensor<?xi32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "other shapes", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "other shapes", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4:5 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2, %arg3, %arg4, %arg5) : (tensor<i32>, tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<?x64xf32>, tensor<?xi32>) -> (tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>)
    return %4#0, %4#1, %4#2, %4#3, %4#4 : tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<64x128xf32> {tf.aliasing_output = 0 : i32}, %arg2: tensor<128xf32> {tf.aliasing_output = 1 : i32}, %arg3: tensor<128x10xf32> {tf.aliasing_output = 2 : i32}, %arg4: tensor<10xf32> {tf.aliasing_output = 3 : i32}, %arg5: tensor<?x64xf32>, %arg6: tensor<?xi32>) -> (tensor<64x128xf32> {jax.result_info = "result[0][0]"}, tensor<128xf32> {jax.result_info = "result[0][1]"}, tensor<128x10xf32> {jax.result_info = "result[0][2]"}, tensor<10xf32> {jax.result_info = "result[0][3]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c_3 = stablehlo.constant dense<10> : tensor<1xi32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_5 = stablehlo.constant dense<128> : tensor<1xi32>
    %0 = stablehlo.dot_general %arg5, %arg1, contracting_dims = [1] x [0] : (tensor<?x64xf32>, tensor<64x128xf32>) -> tensor<?x128xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<128xf32>) -> tensor<1x128xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %1, %3, dims = [0, 1] : (tensor<1x128xf32>, tensor<2xi32>) -> tensor<?x128xf32>
    %5 = stablehlo.add %0, %4 : tensor<?x128xf32>
    %6 = call @relu(%arg0, %5) : (tensor<i32>, tensor<?x128xf32>) -> tensor<?x128xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst_4, %8, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x128xf32>
    %10 = stablehlo.compare GT, %5, %9, FLOAT : (tensor<?x128xf32>, tensor<?x128xf32>) -> tensor<?x128xi1>
    %11 = stablehlo.dot_general %6, %arg3, contracting_dims = [1] x [0] : (tensor<?x128xf32>, tensor<128x10xf32>) -> tensor<?x10xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %13, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %12, %14, dims = [0, 1] : (tensor<1x10xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %16 = stablehlo.add %11, %15 : tensor<?x10xf32>
    %17 = stablehlo.reduce(%16 init: %cst_2) applies stablehlo.maximum across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %18 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %cst_2, %18, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %20 = stablehlo.maximum %19, %17 : tensor<?xf32>
    %21 = stablehlo.is_finite %20 : (tensor<?xf32>) -> tensor<?xi1>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %cst_4, %22, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %24 = stablehlo.select %21, %20, %23 : tensor<?xi1>, tensor<?xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %25, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.dynamic_broadcast_in_dim %24, %26, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
    %28 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %29 = stablehlo.concatenate %28, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %30 = stablehlo.dynamic_broadcast_in_dim %27, %29, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %31 = stablehlo.subtract %16, %30 : tensor<?x10xf32>
    %32 = stablehlo.exponential %31 : tensor<?x10xf32>
    %33 = stablehlo.reduce(%32 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<?x10xf32>, tensor<f32>) -> tensor<?xf32>
    %34 = stablehlo.abs %33 : tensor<?xf32>
    %35 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst_4, %35, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %37 = stablehlo.compare GE, %33, %36, FLOAT : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
    %38 = stablehlo.log %34 : tensor<?xf32>
    %39 = stablehlo.add %38, %24 : tensor<?xf32>
    %40 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %41 = stablehlo.concatenate %40, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %42 = stablehlo.dynamic_broadcast_in_dim %arg6, %41, dims = [0] : (tensor<?xi32>, tensor<2xi32>) -> tensor<?x1xi32>
    %43:2 = call @take_along_axis(%arg0, %16, %42) : (tensor<i32>, tensor<?x10xf32>, tensor<?x1xi32>) -> (tensor<?x1xf32>, tensor<?x1x1xi32>)
    %44 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %46 = stablehlo.concatenate %45, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %47 = "stablehlo.dynamic_gather"(%43#0, %44, %46) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = true}> : (tensor<?x1xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?xf32>
    %48 = stablehlo.subtract %39, %47 : tensor<?xf32>
    %49 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %50 = stablehlo.reduce(%48 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
    %51 = stablehlo.divide %50, %49 : tensor<f32>
    %52 = stablehlo.divide %cst_0, %49 : tensor<f32>
    %53 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %54 = stablehlo.dynamic_broadcast_in_dim %52, %53, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %55 = stablehlo.negate %54 : tensor<?xf32>
    %56 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %57 = stablehlo.concatenate %56, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %58 = stablehlo.dynamic_broadcast_in_dim %cst_4, %57, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %59 = "stablehlo.scatter"(%58, %44, %55) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %100 = stablehlo.add %arg7, %arg8 : tensor<f32>
      stablehlo.return %100 : tensor<f32>
    }) : (tensor<?x1xf32>, tensor<1xi32>, tensor<?xf32>) -> tensor<?x1xf32>
    %60 = call @take_along_axis_0(%arg0, %43#1, %59) : (tensor<i32>, tensor<?x1x1xi32>, tensor<?x1xf32>) -> tensor<?x10xf32>
    %61 = stablehlo.divide %54, %34 : tensor<?xf32>
    %62 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %63 = stablehlo.dynamic_broadcast_in_dim %cst_4, %62, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %64 = stablehlo.select %37, %63, %61 : tensor<?xi1>, tensor<?xf32>
    %65 = stablehlo.select %37, %61, %63 : tensor<?xi1>, tensor<?xf32>
    %66 = stablehlo.negate %64 : tensor<?xf32>
    %67 = stablehlo.add %65, %66 : tensor<?xf32>
    %68 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %69 = stablehlo.concatenate %68, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %70 = stablehlo.dynamic_broadcast_in_dim %67, %69, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x10xf32>
    %71 = stablehlo.multiply %70, %32 : tensor<?x10xf32>
    %72 = stablehlo.add %60, %71 : tensor<?x10xf32>
    %73 = stablehlo.reduce(%72 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<?x10xf32>, tensor<f32>) -> tensor<10xf32>
    %74 = stablehlo.reshape %73 : (tensor<10xf32>) -> tensor<1x10xf32>
    %75 = stablehlo.reduce(%74 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %76 = stablehlo.dot_general %72, %6, contracting_dims = [0] x [0] : (tensor<?x10xf32>, tensor<?x128xf32>) -> tensor<10x128xf32>
    %77 = stablehlo.transpose %76, dims = [1, 0] : (tensor<10x128xf32>) -> tensor<128x10xf32>
    %78 = stablehlo.dot_general %72, %arg3, contracting_dims = [1] x [1] : (tensor<?x10xf32>, tensor<128x10xf32>) -> tensor<?x128xf32>
    %79 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %80 = stablehlo.concatenate %79, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %81 = stablehlo.dynamic_broadcast_in_dim %cst_4, %80, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x128xf32>
    %82 = stablehlo.select %10, %78, %81 : tensor<?x128xi1>, tensor<?x128xf32>
    %83 = stablehlo.reduce(%82 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<?x128xf32>, tensor<f32>) -> tensor<128xf32>
    %84 = stablehlo.reshape %83 : (tensor<128xf32>) -> tensor<1x128xf32>
    %85 = stablehlo.reduce(%84 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<1x128xf32>, tensor<f32>) -> tensor<128xf32>
    %86 = stablehlo.dot_general %82, %arg5, contracting_dims = [0] x [0] : (tensor<?x128xf32>, tensor<?x64xf32>) -> tensor<128x64xf32>
    %87 = stablehlo.transpose %86, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
    %88 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x128xf32>
    %89 = stablehlo.multiply %88, %87 : tensor<64x128xf32>
    %90 = stablehlo.subtract %arg1, %89 : tensor<64x128xf32>
    %91 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %92 = stablehlo.multiply %91, %85 : tensor<128xf32>
    %93 = stablehlo.subtract %arg2, %92 : tensor<128xf32>
    %94 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x10xf32>
    %95 = stablehlo.multiply %94, %77 : tensor<128x10xf32>
    %96 = stablehlo.subtract %arg3, %95 : tensor<128x10xf32>
    %97 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %98 = stablehlo.multiply %97, %75 : tensor<10xf32>
    %99 = stablehlo.subtract %arg4, %98 : tensor<10xf32>
    return %90, %93, %96, %99, %51 : tensor<64x128xf32>, tensor<128xf32>, tensor<128x10xf32>, tensor<10xf32>, tensor<f32>
  }
  func.func private @relu(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x128xf32>) -> tensor<?x128xf32> {
    %c = stablehlo.constant dense<128> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x128xf32>
    %3 = stablehlo.maximum %arg1, %2 : tensor<?x128xf32>
    return %3 : tensor<?x128xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x10xf32>, %arg2: tensor<?x1xi32>) -> (tensor<?x1xf32>, tensor<?x1x1xi32>) {
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %c_1 = stablehlo.constant dense<false> : tensor<1xi1>
    %c_2 = stablehlo.constant dense<10> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %c_4, %1, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %3 = stablehlo.compare LT, %arg2, %2, SIGNED : (tensor<?x1xi32>, tensor<?x1xi32>) -> tensor<?x1xi1>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %c_2, %5, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x1xi32>
    %7 = stablehlo.add %arg2, %6 : tensor<?x1xi32>
    %8 = stablehlo.select %3, %7, %arg2 : tensor<?x1xi1>, tensor<?x1xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %9, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.dynamic_reshape %8, %10 : (tensor<?x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %12 = stablehlo.convert %arg0 : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %13, %14, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.add %c_3, %16 : tensor<1xi32>
    %18 = stablehlo.select %c_1, %17, %c_3 : tensor<1xi1>, tensor<1xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %20 = "stablehlo.gather"(%15, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<2xi32>, tensor<1x1xi32>) -> tensor<1xi32>
    %21 = stablehlo.subtract %20, %c_3 : tensor<1xi32>
    %22 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %24 = stablehlo.dynamic_broadcast_in_dim %c_4, %23, dims = [] : (tensor<i32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %25 = stablehlo.compare GE, %11, %24, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %26 = stablehlo.broadcast_in_dim %21, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %27 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %28 = stablehlo.concatenate %27, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %29 = stablehlo.dynamic_broadcast_in_dim %26, %28, dims = [0, 1, 2] : (tensor<1x1x1xi32>, tensor<3xi32>) -> tensor<?x1x1xi32>
    %30 = stablehlo.compare LE, %11, %29, SIGNED : (tensor<?x1x1xi32>, tensor<?x1x1xi32>) -> tensor<?x1x1xi1>
    %31 = stablehlo.and %25, %30 : tensor<?x1x1xi1>
    %32 = stablehlo.reduce(%31 init: %c) applies stablehlo.and across dimensions = [2] : (tensor<?x1x1xi1>, tensor<i1>) -> tensor<?x1xi1>
    %33 = "stablehlo.gather"(%arg1, %11) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<?x10xf32>, tensor<?x1x1xi32>) -> tensor<?x1xf32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.concatenate %34, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %36 = stablehlo.dynamic_broadcast_in_dim %cst, %35, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x1xf32>
    %37 = stablehlo.select %32, %33, %36 : tensor<?x1xi1>, tensor<?x1xf32>
    return %37, %11 : tensor<?x1xf32>, tensor<?x1x1xi32>
  }
  func.func private @take_along_axis_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<?x1x1xi32>, %arg2: tensor<?x1xf32>) -> tensor<?x10xf32> {
    %c = stablehlo.constant dense<10> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x10xf32>
    %3 = "stablehlo.scatter"(%2, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %4 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<?x10xf32>, tensor<?x1x1xi32>, tensor<?x1xf32>) -> tensor<?x10xf32>
    return %3 : tensor<?x10xf32>
  }
}
