"builtin.module"() <{sym_name = "jit_embed"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {}, {}], function_type = (tensor<1000x64xf32>, tensor<4x16xi32>, tensor<4x16x64xf32>) -> tensor<1000x64xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1000x64xf32>, %arg1: tensor<4x16xi32>, %arg2: tensor<4x16x64xf32>):
    %0 = "stablehlo.reshape"(%arg1) : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
    %1 = "stablehlo.gather"(%arg0, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<1000x64xf32>, tensor<4x16x1xi32>) -> tensor<4x16x64xf32>
    %2 = "stablehlo.subtract"(%1, %arg2) : (tensor<4x16x64xf32>, tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<1000x64xf32>}> : () -> tensor<1000x64xf32>
    %4 = "stablehlo.scatter"(%3, %0, %2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<1000x64xf32>, tensor<4x16x1xi32>, tensor<4x16x64xf32>) -> tensor<1000x64xf32>
    %5 = "stablehlo.compare"(%4, %3) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<1000x64xf32>, tensor<1000x64xf32>) -> tensor<1000x64xi1>
    %6 = "stablehlo.select"(%5, %4, %arg0) : (tensor<1000x64xi1>, tensor<1000x64xf32>, tensor<1000x64xf32>) -> tensor<1000x64xf32>
    "func.return"(%6) : (tensor<1000x64xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
