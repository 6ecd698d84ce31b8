module @jit_train attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<30x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<2x32x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<2x16x32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<2x16x16xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<2x16x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<2x16x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<2x16x32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<2x16x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<30x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<2x32x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<2x16x32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<2x16x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<2x16x16xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<2x16x16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<2x16x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<2x16x16xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<30x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<2x32x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<2x16x32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<2x16x16xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<2x16x16xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<2x16x16xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<2x16x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<2x16x16xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<i32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<4x13xi32>) -> (tensor<30x16xf32> {jax.result_info = "result[0]['embed']"}, tensor<2x32x16xf32> {jax.result_info = "result[0]['layers']['down']"}, tensor<2x16x32xf32> {jax.result_info = "result[0]['layers']['gate']"}, tensor<2x16x16xf32> {jax.result_info = "result[0]['layers']['k']"}, tensor<2x16x16xf32> {jax.result_info = "result[0]['layers']['o']"}, tensor<2x16x16xf32> {jax.result_info = "result[0]['layers']['q']"}, tensor<2x16x32xf32> {jax.result_info = "result[0]['layers']['up']"}, tensor<2x16x16xf32> {jax.result_info = "result[0]['layers']['v']"}, tensor<30x16xf32> {jax.result_info = "result[1][0]['embed']"}, tensor<2x32x16xf32> {jax.result_info = "result[1][0]['layers']['down']"}, tensor<2x16x32xf32> {jax.result_info = "result[1][0]['layers']['gate']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][0]['layers']['k']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][0]['layers']['o']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][0]['layers']['q']"}, tensor<2x16x32xf32> {jax.result_info = "result[1][0]['layers']['up']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][0]['layers']['v']"}, tensor<30x16xf32> {jax.result_info = "result[1][1]['embed']"}, tensor<2x32x16xf32> {jax.result_info = "result[1][1]['layers']['down']"}, tensor<2x16x32xf32> {jax.result_info = "result[1][1]['layers']['gate']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][1]['layers']['k']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][1]['layers']['o']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][1]['layers']['q']"}, tensor<2x16x32xf32> {jax.result_info = "result[1][1]['layers']['up']"}, tensor<2x16x16xf32> {jax.result_info = "result[1][1]['layers']['v']"}, tensor<i32> {jax.result_info = "result[1][2]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.slice %arg25 [0:4, 0:12] : (tensor<4x13xi32>) -> tensor<4x12xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x12xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<4x12xi32>, tensor<4x12xi32>) -> tensor<4x12xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x12xi32>
    %4 = stablehlo.add %0, %3 : tensor<4x12xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<4x12xi1>, tensor<4x12xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x12xi32>) -> tensor<4x12x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<30x16xf32>, tensor<4x12x1xi32>) -> tensor<4x12x16xf32>
    %8 = stablehlo.iota dim = 0 : tensor<12xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %10 = stablehlo.iota dim = 0 : tensor<4xi32>
    %11 = stablehlo.convert %10 : (tensor<4xi32>) -> tensor<4xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %13 = stablehlo.divide %11, %12 : tensor<4xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %15 = stablehlo.power %14, %13 : tensor<4xf32>
    %16 = stablehlo.convert %9 : (tensor<12x1xi32>) -> tensor<12x1xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x4xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<12x4xf32>
    %20 = stablehlo.divide %18, %19 : tensor<12x4xf32>
    %21 = stablehlo.sine %20 : tensor<12x4xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 2] : (tensor<12x4xf32>) -> tensor<12x1x4xf32>
    %23 = stablehlo.cosine %20 : tensor<12x4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 2] : (tensor<12x4xf32>) -> tensor<12x1x4xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %26 = stablehlo.broadcast_in_dim %22, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %27 = stablehlo.broadcast_in_dim %22, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %28 = stablehlo.broadcast_in_dim %24, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %29 = stablehlo.iota dim = 0 : tensor<12xi32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<12xi32>) -> tensor<12x1xi32>
    %31 = stablehlo.iota dim = 0 : tensor<4xi32>
    %32 = stablehlo.convert %31 : (tensor<4xi32>) -> tensor<4xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %34 = stablehlo.divide %32, %33 : tensor<4xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %36 = stablehlo.power %35, %34 : tensor<4xf32>
    %37 = stablehlo.convert %30 : (tensor<12x1xi32>) -> tensor<12x1xf32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<12x1xf32>) -> tensor<12x4xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<12x4xf32>
    %41 = stablehlo.divide %39, %40 : tensor<12x4xf32>
    %42 = stablehlo.sine %41 : tensor<12x4xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 2] : (tensor<12x4xf32>) -> tensor<12x1x4xf32>
    %44 = stablehlo.cosine %41 : tensor<12x4xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 2] : (tensor<12x4xf32>) -> tensor<12x1x4xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %47 = stablehlo.broadcast_in_dim %43, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %48 = stablehlo.broadcast_in_dim %43, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %49 = stablehlo.broadcast_in_dim %45, dims = [1, 2, 3] : (tensor<12x1x4xf32>) -> tensor<1x12x1x4xf32>
    %c_4 = stablehlo.constant dense<true> : tensor<i1>
    %50 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i1>) -> tensor<12x12xi1>
    %51 = call @tril(%50) : (tensor<12x12xi1>) -> tensor<12x12xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %52:2 = call @_where(%51, %cst_5) : (tensor<12x12xi1>, tensor<f32>) -> (tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>)
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<2x4x12x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x4x12x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<2x4x12x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x4x12x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<2x4x12x2x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<2x4x12x2x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<2x4x2x12x12xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<2x4x2x12x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x4x2x12x1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2x4x2x12x12xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<2x4x12x2x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<2x4x12x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x4x12x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x4x12x32xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %72:38 = stablehlo.while(%iterArg = %arg1, %iterArg_153 = %arg2, %iterArg_154 = %arg3, %iterArg_155 = %arg4, %iterArg_156 = %arg5, %iterArg_157 = %arg6, %iterArg_158 = %arg7, %iterArg_159 = %25, %iterArg_160 = %26, %iterArg_161 = %27, %iterArg_162 = %28, %iterArg_163 = %46, %iterArg_164 = %47, %iterArg_165 = %48, %iterArg_166 = %49, %iterArg_167 = %52#0, %iterArg_168 = %52#1, %iterArg_169 = %c_25, %iterArg_170 = %7, %iterArg_171 = %53, %iterArg_172 = %54, %iterArg_173 = %55, %iterArg_174 = %56, %iterArg_175 = %57, %iterArg_176 = %58, %iterArg_177 = %59, %iterArg_178 = %60, %iterArg_179 = %61, %iterArg_180 = %62, %iterArg_181 = %63, %iterArg_182 = %64, %iterArg_183 = %65, %iterArg_184 = %66, %iterArg_185 = %67, %iterArg_186 = %68, %iterArg_187 = %69, %iterArg_188 = %70, %iterArg_189 = %71) : tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>, tensor<i32>, tensor<4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>
    cond {
      %c_190 = stablehlo.constant dense<2> : tensor<i32>
      %393 = stablehlo.compare LT, %iterArg_169, %c_190, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %393 : tensor<i1>
    } do {
      %393 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_169) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %394 = func.call @dynamic_index_in_dim_0(%iterArg_153, %iterArg_169) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %395 = func.call @dynamic_index_in_dim_1(%iterArg_154, %iterArg_169) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %396 = func.call @dynamic_index_in_dim_1(%iterArg_155, %iterArg_169) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %397 = func.call @dynamic_index_in_dim_1(%iterArg_156, %iterArg_169) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %398 = func.call @dynamic_index_in_dim_0(%iterArg_157, %iterArg_169) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %399 = func.call @dynamic_index_in_dim_1(%iterArg_158, %iterArg_169) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %400:20 = func.call @closed_call(%iterArg_159, %iterArg_160, %iterArg_161, %iterArg_162, %iterArg_163, %iterArg_164, %iterArg_165, %iterArg_166, %iterArg_167, %iterArg_168, %iterArg_170, %393, %394, %395, %396, %397, %398, %399) : (tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>, tensor<4x12x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>) -> (tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x1xf32>, tensor<4x12x1xf32>, tensor<4x12x16xf32>, tensor<4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<4x2x12x12xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>)
      %401 = func.call @dynamic_update_index_in_dim(%iterArg_171, %400#1, %iterArg_169) : (tensor<2x4x12x16xf32>, tensor<4x12x16xf32>, tensor<i32>) -> tensor<2x4x12x16xf32>
      %402 = func.call @dynamic_update_index_in_dim_3(%iterArg_172, %400#2, %iterArg_169) : (tensor<2x4x12x1xf32>, tensor<4x12x1xf32>, tensor<i32>) -> tensor<2x4x12x1xf32>
      %403 = func.call @dynamic_update_index_in_dim_3(%iterArg_173, %400#3, %iterArg_169) : (tensor<2x4x12x1xf32>, tensor<4x12x1xf32>, tensor<i32>) -> tensor<2x4x12x1xf32>
      %404 = func.call @dynamic_update_index_in_dim(%iterArg_174, %400#4, %iterArg_169) : (tensor<2x4x12x16xf32>, tensor<4x12x16xf32>, tensor<i32>) -> tensor<2x4x12x16xf32>
      %405 = func.call @dynamic_update_index_in_dim_4(%iterArg_175, %400#5, %iterArg_169) : (tensor<2x4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<i32>) -> tensor<2x4x12x2x8xf32>
      %406 = func.call @dynamic_update_index_in_dim_4(%iterArg_176, %400#6, %iterArg_169) : (tensor<2x4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<i32>) -> tensor<2x4x12x2x8xf32>
      %407 = func.call @dynamic_update_index_in_dim_5(%iterArg_177, %400#7, %iterArg_169) : (tensor<2x4x2x12x12xf32>, tensor<4x2x12x12xf32>, tensor<i32>) -> tensor<2x4x2x12x12xf32>
      %408 = func.call @dynamic_update_index_in_dim_6(%iterArg_178, %400#8, %iterArg_169) : (tensor<2x4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<i32>) -> tensor<2x4x2x12x1xf32>
      %409 = func.call @dynamic_update_index_in_dim_6(%iterArg_179, %400#9, %iterArg_169) : (tensor<2x4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<i32>) -> tensor<2x4x2x12x1xf32>
      %410 = func.call @dynamic_update_index_in_dim_5(%iterArg_180, %400#10, %iterArg_169) : (tensor<2x4x2x12x12xf32>, tensor<4x2x12x12xf32>, tensor<i32>) -> tensor<2x4x2x12x12xf32>
      %411 = func.call @dynamic_update_index_in_dim_4(%iterArg_181, %400#11, %iterArg_169) : (tensor<2x4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<i32>) -> tensor<2x4x12x2x8xf32>
      %412 = func.call @dynamic_update_index_in_dim(%iterArg_182, %400#12, %iterArg_169) : (tensor<2x4x12x16xf32>, tensor<4x12x16xf32>, tensor<i32>) -> tensor<2x4x12x16xf32>
      %413 = func.call @dynamic_update_index_in_dim(%iterArg_183, %400#13, %iterArg_169) : (tensor<2x4x12x16xf32>, tensor<4x12x16xf32>, tensor<i32>) -> tensor<2x4x12x16xf32>
      %414 = func.call @dynamic_update_index_in_dim_7(%iterArg_184, %400#14, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %415 = func.call @dynamic_update_index_in_dim_7(%iterArg_185, %400#15, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %416 = func.call @dynamic_update_index_in_dim_7(%iterArg_186, %400#16, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %417 = func.call @dynamic_update_index_in_dim_7(%iterArg_187, %400#17, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %418 = func.call @dynamic_update_index_in_dim_7(%iterArg_188, %400#18, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %419 = func.call @dynamic_update_index_in_dim_7(%iterArg_189, %400#19, %iterArg_169) : (tensor<2x4x12x32xf32>, tensor<4x12x32xf32>, tensor<i32>) -> tensor<2x4x12x32xf32>
      %c_190 = stablehlo.constant dense<1> : tensor<i32>
      %420 = stablehlo.add %iterArg_169, %c_190 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_153, %iterArg_154, %iterArg_155, %iterArg_156, %iterArg_157, %iterArg_158, %iterArg_159, %iterArg_160, %iterArg_161, %iterArg_162, %iterArg_163, %iterArg_164, %iterArg_165, %iterArg_166, %iterArg_167, %iterArg_168, %420, %400#0, %401, %402, %403, %404, %405, %406, %407, %408, %409, %410, %411, %412, %413, %414, %415, %416, %417, %418, %419 : tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>, tensor<i32>, tensor<4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>
    }
    %73 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<30x16xf32>) -> tensor<16x30xf32>
    %74 = stablehlo.dot_general %72#18, %73, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x30xf32>) -> tensor<4x12x30xf32>
    %75 = stablehlo.slice %arg25 [0:4, 1:13] : (tensor<4x13xi32>) -> tensor<4x12xi32>
    %76:3 = call @log_softmax(%74) : (tensor<4x12x30xf32>) -> (tensor<4x12x30xf32>, tensor<4x12x30xf32>, tensor<4x12x1xf32>)
    %77 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<4x12xi32>) -> tensor<4x12x1xi32>
    %78:2 = call @take_along_axis(%76#0, %77) : (tensor<4x12x30xf32>, tensor<4x12x1xi32>) -> (tensor<4x12x1xf32>, tensor<4x12x1x1xi32>)
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%78#0 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x12x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_27 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %80 = stablehlo.divide %79, %cst_27 : tensor<f32>
    %81 = stablehlo.negate %80 : tensor<f32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.negate %cst_28 : tensor<f32>
    %cst_29 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %83 = stablehlo.divide %82, %cst_29 : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %85 = call @take_along_axis_8(%78#1, %84) : (tensor<4x12x1x1xi32>, tensor<4x12x1xf32>) -> tensor<4x12x30xf32>
    %86 = call @log_softmax_9(%76#1, %76#2, %85) : (tensor<4x12x30xf32>, tensor<4x12x1xf32>, tensor<4x12x30xf32>) -> tensor<4x12x30xf32>
    %87 = stablehlo.dot_general %86, %72#18, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x30xf32>, tensor<4x12x16xf32>) -> tensor<30x16xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<30x16xf32>) -> tensor<16x30xf32>
    %89 = stablehlo.dot_general %86, %73, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x30xf32>, tensor<16x30xf32>) -> tensor<4x12x16xf32>
    %90 = stablehlo.transpose %88, dims = [1, 0] : (tensor<16x30xf32>) -> tensor<30x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %98:44 = stablehlo.while(%iterArg = %72#19, %iterArg_153 = %72#20, %iterArg_154 = %72#21, %iterArg_155 = %arg5, %iterArg_156 = %72#22, %iterArg_157 = %arg3, %iterArg_158 = %arg7, %iterArg_159 = %72#23, %iterArg_160 = %72#24, %iterArg_161 = %72#25, %iterArg_162 = %72#26, %iterArg_163 = %72#27, %iterArg_164 = %72#28, %iterArg_165 = %72#29, %iterArg_166 = %arg4, %iterArg_167 = %72#30, %iterArg_168 = %arg2, %iterArg_169 = %72#31, %iterArg_170 = %72#32, %iterArg_171 = %72#33, %iterArg_172 = %72#34, %iterArg_173 = %arg6, %iterArg_174 = %72#35, %iterArg_175 = %72#36, %iterArg_176 = %arg1, %iterArg_177 = %72#37, %iterArg_178 = %25, %iterArg_179 = %26, %iterArg_180 = %27, %iterArg_181 = %28, %iterArg_182 = %46, %iterArg_183 = %47, %iterArg_184 = %48, %iterArg_185 = %49, %iterArg_186 = %52#0, %iterArg_187 = %c_37, %iterArg_188 = %89, %iterArg_189 = %91, %iterArg_190 = %92, %iterArg_191 = %93, %iterArg_192 = %94, %iterArg_193 = %95, %iterArg_194 = %96, %iterArg_195 = %97) : tensor<2x4x12x16xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x16x16xf32>, tensor<2x4x12x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x12x2x8xf32>, tensor<2x16x16xf32>, tensor<2x4x12x16xf32>, tensor<2x16x32xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x16x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x32x16xf32>, tensor<2x4x12x32xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<i32>, tensor<4x12x16xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>
    cond {
      %c_196 = stablehlo.constant dense<2> : tensor<i32>
      %393 = stablehlo.compare LT, %iterArg_187, %c_196, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %393 : tensor<i1>
    } do {
      %c_196 = stablehlo.constant dense<2> : tensor<i32>
      %393 = stablehlo.subtract %c_196, %iterArg_187 : tensor<i32>
      %c_197 = stablehlo.constant dense<1> : tensor<i32>
      %394 = stablehlo.subtract %393, %c_197 : tensor<i32>
      %395 = func.call @dynamic_index_in_dim_10(%iterArg, %394) : (tensor<2x4x12x16xf32>, tensor<i32>) -> tensor<4x12x16xf32>
      %396 = func.call @dynamic_index_in_dim_11(%iterArg_153, %394) : (tensor<2x4x12x1xf32>, tensor<i32>) -> tensor<4x12x1xf32>
      %397 = func.call @dynamic_index_in_dim_11(%iterArg_154, %394) : (tensor<2x4x12x1xf32>, tensor<i32>) -> tensor<4x12x1xf32>
      %398 = func.call @dynamic_index_in_dim_1(%iterArg_155, %394) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %399 = func.call @dynamic_index_in_dim_10(%iterArg_156, %394) : (tensor<2x4x12x16xf32>, tensor<i32>) -> tensor<4x12x16xf32>
      %400 = func.call @dynamic_index_in_dim_1(%iterArg_157, %394) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %401 = func.call @dynamic_index_in_dim_1(%iterArg_158, %394) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %402 = func.call @dynamic_index_in_dim_12(%iterArg_159, %394) : (tensor<2x4x12x2x8xf32>, tensor<i32>) -> tensor<4x12x2x8xf32>
      %403 = func.call @dynamic_index_in_dim_12(%iterArg_160, %394) : (tensor<2x4x12x2x8xf32>, tensor<i32>) -> tensor<4x12x2x8xf32>
      %404 = func.call @dynamic_index_in_dim_13(%iterArg_161, %394) : (tensor<2x4x2x12x12xf32>, tensor<i32>) -> tensor<4x2x12x12xf32>
      %405 = func.call @dynamic_index_in_dim_14(%iterArg_162, %394) : (tensor<2x4x2x12x1xf32>, tensor<i32>) -> tensor<4x2x12x1xf32>
      %406 = func.call @dynamic_index_in_dim_14(%iterArg_163, %394) : (tensor<2x4x2x12x1xf32>, tensor<i32>) -> tensor<4x2x12x1xf32>
      %407 = func.call @dynamic_index_in_dim_13(%iterArg_164, %394) : (tensor<2x4x2x12x12xf32>, tensor<i32>) -> tensor<4x2x12x12xf32>
      %408 = func.call @dynamic_index_in_dim_12(%iterArg_165, %394) : (tensor<2x4x12x2x8xf32>, tensor<i32>) -> tensor<4x12x2x8xf32>
      %409 = func.call @dynamic_index_in_dim_1(%iterArg_166, %394) : (tensor<2x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %410 = func.call @dynamic_index_in_dim_10(%iterArg_167, %394) : (tensor<2x4x12x16xf32>, tensor<i32>) -> tensor<4x12x16xf32>
      %411 = func.call @dynamic_index_in_dim_0(%iterArg_168, %394) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %412 = func.call @dynamic_index_in_dim_10(%iterArg_169, %394) : (tensor<2x4x12x16xf32>, tensor<i32>) -> tensor<4x12x16xf32>
      %413 = func.call @dynamic_index_in_dim_15(%iterArg_170, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %414 = func.call @dynamic_index_in_dim_15(%iterArg_171, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %415 = func.call @dynamic_index_in_dim_15(%iterArg_172, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %416 = func.call @dynamic_index_in_dim_0(%iterArg_173, %394) : (tensor<2x16x32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %417 = func.call @dynamic_index_in_dim_15(%iterArg_174, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %418 = func.call @dynamic_index_in_dim_15(%iterArg_175, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %419 = func.call @dynamic_index_in_dim(%iterArg_176, %394) : (tensor<2x32x16xf32>, tensor<i32>) -> tensor<32x16xf32>
      %420 = func.call @dynamic_index_in_dim_15(%iterArg_177, %394) : (tensor<2x4x12x32xf32>, tensor<i32>) -> tensor<4x12x32xf32>
      %421:8 = func.call @closed_call_16(%iterArg_178, %iterArg_179, %iterArg_180, %iterArg_181, %iterArg_182, %iterArg_183, %iterArg_184, %iterArg_185, %iterArg_186, %iterArg_188, %395, %396, %397, %398, %399, %400, %401, %402, %403, %404, %405, %406, %407, %408, %409, %410, %411, %412, %413, %414, %415, %416, %417, %418, %419, %420) : (tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x1xf32>, tensor<4x12x1xf32>, tensor<16x16xf32>, tensor<4x12x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<4x2x12x12xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>, tensor<16x16xf32>, tensor<4x12x16xf32>, tensor<16x32xf32>, tensor<4x12x16xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<16x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<32x16xf32>, tensor<4x12x32xf32>) -> (tensor<4x12x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>)
      %422 = func.call @dynamic_update_index_in_dim_19(%iterArg_189, %421#1, %394) : (tensor<2x32x16xf32>, tensor<32x16xf32>, tensor<i32>) -> tensor<2x32x16xf32>
      %423 = func.call @dynamic_update_index_in_dim_20(%iterArg_190, %421#2, %394) : (tensor<2x16x32xf32>, tensor<16x32xf32>, tensor<i32>) -> tensor<2x16x32xf32>
      %424 = func.call @dynamic_update_index_in_dim_21(%iterArg_191, %421#3, %394) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %425 = func.call @dynamic_update_index_in_dim_21(%iterArg_192, %421#4, %394) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %426 = func.call @dynamic_update_index_in_dim_21(%iterArg_193, %421#5, %394) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %427 = func.call @dynamic_update_index_in_dim_20(%iterArg_194, %421#6, %394) : (tensor<2x16x32xf32>, tensor<16x32xf32>, tensor<i32>) -> tensor<2x16x32xf32>
      %428 = func.call @dynamic_update_index_in_dim_21(%iterArg_195, %421#7, %394) : (tensor<2x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<2x16x16xf32>
      %c_198 = stablehlo.constant dense<1> : tensor<i32>
      %429 = stablehlo.add %iterArg_187, %c_198 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_153, %iterArg_154, %iterArg_155, %iterArg_156, %iterArg_157, %iterArg_158, %iterArg_159, %iterArg_160, %iterArg_161, %iterArg_162, %iterArg_163, %iterArg_164, %iterArg_165, %iterArg_166, %iterArg_167, %iterArg_168, %iterArg_169, %iterArg_170, %iterArg_171, %iterArg_172, %iterArg_173, %iterArg_174, %iterArg_175, %iterArg_176, %iterArg_177, %iterArg_178, %iterArg_179, %iterArg_180, %iterArg_181, %iterArg_182, %iterArg_183, %iterArg_184, %iterArg_185, %iterArg_186, %429, %421#0, %422, %423, %424, %425, %426, %427, %428 : tensor<2x4x12x16xf32>, tensor<2x4x12x1xf32>, tensor<2x4x12x1xf32>, tensor<2x16x16xf32>, tensor<2x4x12x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x12x2x8xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x1xf32>, tensor<2x4x2x12x12xf32>, tensor<2x4x12x2x8xf32>, tensor<2x16x16xf32>, tensor<2x4x12x16xf32>, tensor<2x16x32xf32>, tensor<2x4x12x16xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x16x32xf32>, tensor<2x4x12x32xf32>, tensor<2x4x12x32xf32>, tensor<2x32x16xf32>, tensor<2x4x12x32xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<1x12x1x4xf32>, tensor<4x2x12x12xi1>, tensor<i32>, tensor<4x12x16xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>
    }
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %100 = "stablehlo.scatter"(%99, %6, %98#36) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg26: tensor<f32>, %arg27: tensor<f32>):
      %393 = stablehlo.add %arg26, %arg27 : tensor<f32>
      stablehlo.return %393 : tensor<f32>
    }) : (tensor<30x16xf32>, tensor<4x12x1xi32>, tensor<4x12x16xf32>) -> tensor<30x16xf32>
    %101 = stablehlo.add %90, %100 : tensor<30x16xf32>
    %102 = stablehlo.multiply %101, %101 : tensor<30x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<30x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.add %cst_40, %103 : tensor<f32>
    %105 = stablehlo.multiply %98#37, %98#37 : tensor<2x32x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%105 init: %cst_41) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x32x16xf32>, tensor<f32>) -> tensor<f32>
    %107 = stablehlo.add %104, %106 : tensor<f32>
    %108 = stablehlo.multiply %98#38, %98#38 : tensor<2x16x32xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.reduce(%108 init: %cst_42) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %110 = stablehlo.add %107, %109 : tensor<f32>
    %111 = stablehlo.multiply %98#39, %98#39 : tensor<2x16x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.reduce(%111 init: %cst_43) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<f32>
    %113 = stablehlo.add %110, %112 : tensor<f32>
    %114 = stablehlo.multiply %98#40, %98#40 : tensor<2x16x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_44) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<f32>
    %116 = stablehlo.add %113, %115 : tensor<f32>
    %117 = stablehlo.multiply %98#41, %98#41 : tensor<2x16x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %118 = stablehlo.reduce(%117 init: %cst_45) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<f32>
    %119 = stablehlo.add %116, %118 : tensor<f32>
    %120 = stablehlo.multiply %98#42, %98#42 : tensor<2x16x32xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %121 = stablehlo.reduce(%120 init: %cst_46) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x32xf32>, tensor<f32>) -> tensor<f32>
    %122 = stablehlo.add %119, %121 : tensor<f32>
    %123 = stablehlo.multiply %98#43, %98#43 : tensor<2x16x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%123 init: %cst_47) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<f32>
    %125 = stablehlo.add %122, %124 : tensor<f32>
    %126 = stablehlo.sqrt %125 : tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %127 = stablehlo.divide %cst_48, %126 : tensor<f32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %128 = stablehlo.minimum %cst_49, %127 : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %130 = stablehlo.multiply %101, %129 : tensor<30x16xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %131 = stablehlo.divide %cst_50, %126 : tensor<f32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.minimum %cst_51, %131 : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %134 = stablehlo.multiply %98#37, %133 : tensor<2x32x16xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.divide %cst_52, %126 : tensor<f32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %136 = stablehlo.minimum %cst_53, %135 : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %138 = stablehlo.multiply %98#38, %137 : tensor<2x16x32xf32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %139 = stablehlo.divide %cst_54, %126 : tensor<f32>
    %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %140 = stablehlo.minimum %cst_55, %139 : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %142 = stablehlo.multiply %98#39, %141 : tensor<2x16x16xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %143 = stablehlo.divide %cst_56, %126 : tensor<f32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %144 = stablehlo.minimum %cst_57, %143 : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %144, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %146 = stablehlo.multiply %98#40, %145 : tensor<2x16x16xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %147 = stablehlo.divide %cst_58, %126 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.minimum %cst_59, %147 : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %150 = stablehlo.multiply %98#41, %149 : tensor<2x16x16xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.divide %cst_60, %126 : tensor<f32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %152 = stablehlo.minimum %cst_61, %151 : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %154 = stablehlo.multiply %98#42, %153 : tensor<2x16x32xf32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.divide %cst_62, %126 : tensor<f32>
    %cst_63 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %156 = stablehlo.minimum %cst_63, %155 : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %158 = stablehlo.multiply %98#43, %157 : tensor<2x16x16xf32>
    %c_64 = stablehlo.constant dense<1> : tensor<i32>
    %159 = stablehlo.add %arg24, %c_64 : tensor<i32>
    %cst_65 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %161 = stablehlo.multiply %160, %arg8 : tensor<30x16xf32>
    %cst_66 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %163 = stablehlo.multiply %162, %130 : tensor<30x16xf32>
    %164 = stablehlo.add %161, %163 : tensor<30x16xf32>
    %cst_67 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %166 = stablehlo.multiply %165, %arg9 : tensor<2x32x16xf32>
    %cst_68 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %168 = stablehlo.multiply %167, %134 : tensor<2x32x16xf32>
    %169 = stablehlo.add %166, %168 : tensor<2x32x16xf32>
    %cst_69 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %171 = stablehlo.multiply %170, %arg10 : tensor<2x16x32xf32>
    %cst_70 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %173 = stablehlo.multiply %172, %138 : tensor<2x16x32xf32>
    %174 = stablehlo.add %171, %173 : tensor<2x16x32xf32>
    %cst_71 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %176 = stablehlo.multiply %175, %arg11 : tensor<2x16x16xf32>
    %cst_72 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %178 = stablehlo.multiply %177, %142 : tensor<2x16x16xf32>
    %179 = stablehlo.add %176, %178 : tensor<2x16x16xf32>
    %cst_73 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %181 = stablehlo.multiply %180, %arg12 : tensor<2x16x16xf32>
    %cst_74 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %183 = stablehlo.multiply %182, %146 : tensor<2x16x16xf32>
    %184 = stablehlo.add %181, %183 : tensor<2x16x16xf32>
    %cst_75 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %186 = stablehlo.multiply %185, %arg13 : tensor<2x16x16xf32>
    %cst_76 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %188 = stablehlo.multiply %187, %150 : tensor<2x16x16xf32>
    %189 = stablehlo.add %186, %188 : tensor<2x16x16xf32>
    %cst_77 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %191 = stablehlo.multiply %190, %arg14 : tensor<2x16x32xf32>
    %cst_78 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %193 = stablehlo.multiply %192, %154 : tensor<2x16x32xf32>
    %194 = stablehlo.add %191, %193 : tensor<2x16x32xf32>
    %cst_79 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %196 = stablehlo.multiply %195, %arg15 : tensor<2x16x16xf32>
    %cst_80 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %198 = stablehlo.multiply %197, %158 : tensor<2x16x16xf32>
    %199 = stablehlo.add %196, %198 : tensor<2x16x16xf32>
    %cst_81 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %201 = stablehlo.multiply %200, %arg16 : tensor<30x16xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %203 = stablehlo.multiply %202, %130 : tensor<30x16xf32>
    %204 = stablehlo.multiply %203, %130 : tensor<30x16xf32>
    %205 = stablehlo.add %201, %204 : tensor<30x16xf32>
    %cst_83 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %207 = stablehlo.multiply %206, %arg17 : tensor<2x32x16xf32>
    %cst_84 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %209 = stablehlo.multiply %208, %134 : tensor<2x32x16xf32>
    %210 = stablehlo.multiply %209, %134 : tensor<2x32x16xf32>
    %211 = stablehlo.add %207, %210 : tensor<2x32x16xf32>
    %cst_85 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %213 = stablehlo.multiply %212, %arg18 : tensor<2x16x32xf32>
    %cst_86 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %215 = stablehlo.multiply %214, %138 : tensor<2x16x32xf32>
    %216 = stablehlo.multiply %215, %138 : tensor<2x16x32xf32>
    %217 = stablehlo.add %213, %216 : tensor<2x16x32xf32>
    %cst_87 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %219 = stablehlo.multiply %218, %arg19 : tensor<2x16x16xf32>
    %cst_88 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %221 = stablehlo.multiply %220, %142 : tensor<2x16x16xf32>
    %222 = stablehlo.multiply %221, %142 : tensor<2x16x16xf32>
    %223 = stablehlo.add %219, %222 : tensor<2x16x16xf32>
    %cst_89 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %225 = stablehlo.multiply %224, %arg20 : tensor<2x16x16xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %227 = stablehlo.multiply %226, %146 : tensor<2x16x16xf32>
    %228 = stablehlo.multiply %227, %146 : tensor<2x16x16xf32>
    %229 = stablehlo.add %225, %228 : tensor<2x16x16xf32>
    %cst_91 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %231 = stablehlo.multiply %230, %arg21 : tensor<2x16x16xf32>
    %cst_92 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %233 = stablehlo.multiply %232, %150 : tensor<2x16x16xf32>
    %234 = stablehlo.multiply %233, %150 : tensor<2x16x16xf32>
    %235 = stablehlo.add %231, %234 : tensor<2x16x16xf32>
    %cst_93 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %237 = stablehlo.multiply %236, %arg22 : tensor<2x16x32xf32>
    %cst_94 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %239 = stablehlo.multiply %238, %154 : tensor<2x16x32xf32>
    %240 = stablehlo.multiply %239, %154 : tensor<2x16x32xf32>
    %241 = stablehlo.add %237, %240 : tensor<2x16x32xf32>
    %cst_95 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %243 = stablehlo.multiply %242, %arg23 : tensor<2x16x16xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %245 = stablehlo.multiply %244, %158 : tensor<2x16x16xf32>
    %246 = stablehlo.multiply %245, %158 : tensor<2x16x16xf32>
    %247 = stablehlo.add %243, %246 : tensor<2x16x16xf32>
    %248 = stablehlo.convert %159 : (tensor<i32>) -> tensor<f32>
    %cst_97 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %249 = stablehlo.power %cst_97, %248 : tensor<f32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %250 = stablehlo.subtract %cst_98, %249 : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %252 = stablehlo.divide %164, %251 : tensor<30x16xf32>
    %cst_99 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %254 = stablehlo.multiply %253, %252 : tensor<30x16xf32>
    %cst_100 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %255 = stablehlo.power %cst_100, %248 : tensor<f32>
    %cst_101 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %256 = stablehlo.subtract %cst_101, %255 : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %258 = stablehlo.divide %205, %257 : tensor<30x16xf32>
    %259 = stablehlo.sqrt %258 : tensor<30x16xf32>
    %cst_102 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %261 = stablehlo.add %259, %260 : tensor<30x16xf32>
    %262 = stablehlo.divide %254, %261 : tensor<30x16xf32>
    %263 = stablehlo.subtract %arg0, %262 : tensor<30x16xf32>
    %cst_103 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %264 = stablehlo.power %cst_103, %248 : tensor<f32>
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %265 = stablehlo.subtract %cst_104, %264 : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %267 = stablehlo.divide %169, %266 : tensor<2x32x16xf32>
    %cst_105 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %269 = stablehlo.multiply %268, %267 : tensor<2x32x16xf32>
    %cst_106 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %270 = stablehlo.power %cst_106, %248 : tensor<f32>
    %cst_107 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %271 = stablehlo.subtract %cst_107, %270 : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %271, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %273 = stablehlo.divide %211, %272 : tensor<2x32x16xf32>
    %274 = stablehlo.sqrt %273 : tensor<2x32x16xf32>
    %cst_108 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %275 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %276 = stablehlo.add %274, %275 : tensor<2x32x16xf32>
    %277 = stablehlo.divide %269, %276 : tensor<2x32x16xf32>
    %278 = stablehlo.subtract %arg1, %277 : tensor<2x32x16xf32>
    %cst_109 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %279 = stablehlo.power %cst_109, %248 : tensor<f32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %280 = stablehlo.subtract %cst_110, %279 : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %282 = stablehlo.divide %174, %281 : tensor<2x16x32xf32>
    %cst_111 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %284 = stablehlo.multiply %283, %282 : tensor<2x16x32xf32>
    %cst_112 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %285 = stablehlo.power %cst_112, %248 : tensor<f32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %286 = stablehlo.subtract %cst_113, %285 : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %288 = stablehlo.divide %217, %287 : tensor<2x16x32xf32>
    %289 = stablehlo.sqrt %288 : tensor<2x16x32xf32>
    %cst_114 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %291 = stablehlo.add %289, %290 : tensor<2x16x32xf32>
    %292 = stablehlo.divide %284, %291 : tensor<2x16x32xf32>
    %293 = stablehlo.subtract %arg2, %292 : tensor<2x16x32xf32>
    %cst_115 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %294 = stablehlo.power %cst_115, %248 : tensor<f32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %295 = stablehlo.subtract %cst_116, %294 : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %297 = stablehlo.divide %179, %296 : tensor<2x16x16xf32>
    %cst_117 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %299 = stablehlo.multiply %298, %297 : tensor<2x16x16xf32>
    %cst_118 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %300 = stablehlo.power %cst_118, %248 : tensor<f32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %301 = stablehlo.subtract %cst_119, %300 : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %301, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %303 = stablehlo.divide %223, %302 : tensor<2x16x16xf32>
    %304 = stablehlo.sqrt %303 : tensor<2x16x16xf32>
    %cst_120 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %306 = stablehlo.add %304, %305 : tensor<2x16x16xf32>
    %307 = stablehlo.divide %299, %306 : tensor<2x16x16xf32>
    %308 = stablehlo.subtract %arg3, %307 : tensor<2x16x16xf32>
    %cst_121 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %309 = stablehlo.power %cst_121, %248 : tensor<f32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %310 = stablehlo.subtract %cst_122, %309 : tensor<f32>
    %311 = stablehlo.broadcast_in_dim %310, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %312 = stablehlo.divide %184, %311 : tensor<2x16x16xf32>
    %cst_123 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %314 = stablehlo.multiply %313, %312 : tensor<2x16x16xf32>
    %cst_124 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %315 = stablehlo.power %cst_124, %248 : tensor<f32>
    %cst_125 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %316 = stablehlo.subtract %cst_125, %315 : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %316, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %318 = stablehlo.divide %229, %317 : tensor<2x16x16xf32>
    %319 = stablehlo.sqrt %318 : tensor<2x16x16xf32>
    %cst_126 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %321 = stablehlo.add %319, %320 : tensor<2x16x16xf32>
    %322 = stablehlo.divide %314, %321 : tensor<2x16x16xf32>
    %323 = stablehlo.subtract %arg4, %322 : tensor<2x16x16xf32>
    %cst_127 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %324 = stablehlo.power %cst_127, %248 : tensor<f32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %325 = stablehlo.subtract %cst_128, %324 : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %325, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %327 = stablehlo.divide %189, %326 : tensor<2x16x16xf32>
    %cst_129 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %329 = stablehlo.multiply %328, %327 : tensor<2x16x16xf32>
    %cst_130 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %330 = stablehlo.power %cst_130, %248 : tensor<f32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %331 = stablehlo.subtract %cst_131, %330 : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %331, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %333 = stablehlo.divide %235, %332 : tensor<2x16x16xf32>
    %334 = stablehlo.sqrt %333 : tensor<2x16x16xf32>
    %cst_132 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %335 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %336 = stablehlo.add %334, %335 : tensor<2x16x16xf32>
    %337 = stablehlo.divide %329, %336 : tensor<2x16x16xf32>
    %338 = stablehlo.subtract %arg5, %337 : tensor<2x16x16xf32>
    %cst_133 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %339 = stablehlo.power %cst_133, %248 : tensor<f32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %340 = stablehlo.subtract %cst_134, %339 : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %342 = stablehlo.divide %194, %341 : tensor<2x16x32xf32>
    %cst_135 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %344 = stablehlo.multiply %343, %342 : tensor<2x16x32xf32>
    %cst_136 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %345 = stablehlo.power %cst_136, %248 : tensor<f32>
    %cst_137 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %346 = stablehlo.subtract %cst_137, %345 : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %346, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %348 = stablehlo.divide %241, %347 : tensor<2x16x32xf32>
    %349 = stablehlo.sqrt %348 : tensor<2x16x32xf32>
    %cst_138 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %350 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %351 = stablehlo.add %349, %350 : tensor<2x16x32xf32>
    %352 = stablehlo.divide %344, %351 : tensor<2x16x32xf32>
    %353 = stablehlo.subtract %arg6, %352 : tensor<2x16x32xf32>
    %cst_139 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %354 = stablehlo.power %cst_139, %248 : tensor<f32>
    %cst_140 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %355 = stablehlo.subtract %cst_140, %354 : tensor<f32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %357 = stablehlo.divide %199, %356 : tensor<2x16x16xf32>
    %cst_141 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %359 = stablehlo.multiply %358, %357 : tensor<2x16x16xf32>
    %cst_142 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %360 = stablehlo.power %cst_142, %248 : tensor<f32>
    %cst_143 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %361 = stablehlo.subtract %cst_143, %360 : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %363 = stablehlo.divide %247, %362 : tensor<2x16x16xf32>
    %364 = stablehlo.sqrt %363 : tensor<2x16x16xf32>
    %cst_144 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %366 = stablehlo.add %364, %365 : tensor<2x16x16xf32>
    %367 = stablehlo.divide %359, %366 : tensor<2x16x16xf32>
    %368 = stablehlo.subtract %arg7, %367 : tensor<2x16x16xf32>
    %cst_145 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<30x16xf32>
    %370 = stablehlo.multiply %369, %arg0 : tensor<30x16xf32>
    %371 = stablehlo.subtract %263, %370 : tensor<30x16xf32>
    %cst_146 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<2x32x16xf32>
    %373 = stablehlo.multiply %372, %arg1 : tensor<2x32x16xf32>
    %374 = stablehlo.subtract %278, %373 : tensor<2x32x16xf32>
    %cst_147 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %376 = stablehlo.multiply %375, %arg2 : tensor<2x16x32xf32>
    %377 = stablehlo.subtract %293, %376 : tensor<2x16x32xf32>
    %cst_148 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %379 = stablehlo.multiply %378, %arg3 : tensor<2x16x16xf32>
    %380 = stablehlo.subtract %308, %379 : tensor<2x16x16xf32>
    %cst_149 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %382 = stablehlo.multiply %381, %arg4 : tensor<2x16x16xf32>
    %383 = stablehlo.subtract %323, %382 : tensor<2x16x16xf32>
    %cst_150 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %385 = stablehlo.multiply %384, %arg5 : tensor<2x16x16xf32>
    %386 = stablehlo.subtract %338, %385 : tensor<2x16x16xf32>
    %cst_151 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %387 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<2x16x32xf32>
    %388 = stablehlo.multiply %387, %arg6 : tensor<2x16x32xf32>
    %389 = stablehlo.subtract %353, %388 : tensor<2x16x32xf32>
    %cst_152 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<2x16x16xf32>
    %391 = stablehlo.multiply %390, %arg7 : tensor<2x16x16xf32>
    %392 = stablehlo.subtract %368, %391 : tensor<2x16x16xf32>
    return %371, %374, %377, %380, %383, %386, %389, %392, %164, %169, %174, %179, %184, %189, %194, %199, %205, %211, %217, %223, %229, %235, %241, %247, %159, %81 : tensor<30x16xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<30x16xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<30x16xf32>, tensor<2x32x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x16xf32>, tensor<2x16x32xf32>, tensor<2x16x16xf32>, tensor<i32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<12x12xi1>) -> tensor<12x12xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<12x12xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12x12xi32>
    %2 = stablehlo.add %0, %1 : tensor<12x12xi32>
    %3 = stablehlo.iota dim = 1 : tensor<12x12xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<12x12xi32>, tensor<12x12xi32>) -> tensor<12x12xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<12x12xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<12x12xi1>, tensor<12x12xi1>
    return %6 : tensor<12x12xi1>
  }
  func.func private @_where(%arg0: tensor<12x12xi1>, %arg1: tensor<f32>) -> (tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>) {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<12x12xi1>) -> tensor<4x2x12x12xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x2x12x12xf32>
    return %1, %2 : tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x32x16xf32>, %arg1: tensor<i32>) -> tensor<32x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 16] : (tensor<2x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<2x16x32xf32>, %arg1: tensor<i32>) -> tensor<16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 32] : (tensor<2x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x32xf32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<2x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<2x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x12x1x4xf32>, %arg1: tensor<1x12x1x4xf32>, %arg2: tensor<1x12x1x4xf32>, %arg3: tensor<1x12x1x4xf32>, %arg4: tensor<1x12x1x4xf32>, %arg5: tensor<1x12x1x4xf32>, %arg6: tensor<1x12x1x4xf32>, %arg7: tensor<1x12x1x4xf32>, %arg8: tensor<4x2x12x12xi1>, %arg9: tensor<4x2x12x12xf32>, %arg10: tensor<4x12x16xf32>, %arg11: tensor<32x16xf32>, %arg12: tensor<16x32xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<16x16xf32>, %arg15: tensor<16x16xf32>, %arg16: tensor<16x32xf32>, %arg17: tensor<16x16xf32>) -> (tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x1xf32>, tensor<4x12x1xf32>, tensor<4x12x16xf32>, tensor<4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<4x2x12x12xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>) {
    %0 = stablehlo.multiply %arg10, %arg10 : tensor<4x12x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x12x16xf32>, tensor<f32>) -> tensor<4x12xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x12x1xf32>
    %cst_1 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<4x12x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<4x12x1xf32>
    %8 = stablehlo.divide %7, %6 : tensor<4x12x1xf32>
    %cst_2 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<4x12x1xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x12x1xf32>) -> tensor<4x12x16xf32>
    %12 = stablehlo.multiply %arg10, %11 : tensor<4x12x16xf32>
    %13 = stablehlo.dot_general %12, %arg15, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %14 = stablehlo.reshape %13 : (tensor<4x12x16xf32>) -> tensor<4x12x2x8xf32>
    %15 = stablehlo.dot_general %12, %arg13, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %16 = stablehlo.reshape %15 : (tensor<4x12x16xf32>) -> tensor<4x12x2x8xf32>
    %17 = stablehlo.dot_general %12, %arg17, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %18 = stablehlo.reshape %17 : (tensor<4x12x16xf32>) -> tensor<4x12x2x8xf32>
    %19 = stablehlo.slice %14 [0:4, 0:12, 0:2, 0:4] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %20 = stablehlo.slice %14 [0:4, 0:12, 0:2, 4:8] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %21 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<4x12x2x4xf32>
    %23 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %24 = stablehlo.multiply %20, %23 : tensor<4x12x2x4xf32>
    %25 = stablehlo.subtract %22, %24 : tensor<4x12x2x4xf32>
    %26 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %27 = stablehlo.multiply %19, %26 : tensor<4x12x2x4xf32>
    %28 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %29 = stablehlo.multiply %20, %28 : tensor<4x12x2x4xf32>
    %30 = stablehlo.add %27, %29 : tensor<4x12x2x4xf32>
    %31 = stablehlo.concatenate %25, %30, dim = 3 : (tensor<4x12x2x4xf32>, tensor<4x12x2x4xf32>) -> tensor<4x12x2x8xf32>
    %32 = stablehlo.slice %16 [0:4, 0:12, 0:2, 0:4] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %33 = stablehlo.slice %16 [0:4, 0:12, 0:2, 4:8] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %34 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %35 = stablehlo.multiply %32, %34 : tensor<4x12x2x4xf32>
    %36 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %37 = stablehlo.multiply %33, %36 : tensor<4x12x2x4xf32>
    %38 = stablehlo.subtract %35, %37 : tensor<4x12x2x4xf32>
    %39 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %40 = stablehlo.multiply %32, %39 : tensor<4x12x2x4xf32>
    %41 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %42 = stablehlo.multiply %33, %41 : tensor<4x12x2x4xf32>
    %43 = stablehlo.add %40, %42 : tensor<4x12x2x4xf32>
    %44 = stablehlo.concatenate %38, %43, dim = 3 : (tensor<4x12x2x4xf32>, tensor<4x12x2x4xf32>) -> tensor<4x12x2x8xf32>
    %45 = stablehlo.dot_general %31, %44, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x12x2x8xf32>, tensor<4x12x2x8xf32>) -> tensor<4x2x12x12xf32>
    %cst_3 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x2x12x12xf32>
    %47 = stablehlo.divide %45, %46 : tensor<4x2x12x12xf32>
    %48 = call @_where_2(%47, %arg8, %arg9) : (tensor<4x2x12x12xf32>, tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>) -> tensor<4x2x12x12xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_4) applies stablehlo.maximum across dimensions = [3] : (tensor<4x2x12x12xf32>, tensor<f32>) -> tensor<4x2x12xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x2x12xf32>
    %51 = stablehlo.maximum %50, %49 : tensor<4x2x12xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x2x12xf32>) -> tensor<4x2x12x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2, 3] : (tensor<4x2x12x1xf32>) -> tensor<4x2x12x12xf32>
    %54 = stablehlo.subtract %48, %53 : tensor<4x2x12x12xf32>
    %55 = stablehlo.exponential %54 : tensor<4x2x12x12xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<4x2x12x12xf32>, tensor<f32>) -> tensor<4x2x12xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2] : (tensor<4x2x12xf32>) -> tensor<4x2x12x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<4x2x12x1xf32>) -> tensor<4x2x12x12xf32>
    %59 = stablehlo.divide %55, %58 : tensor<4x2x12x12xf32>
    %60 = stablehlo.multiply %57, %57 : tensor<4x2x12x1xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x2x12x1xf32>
    %62 = stablehlo.divide %61, %60 : tensor<4x2x12x1xf32>
    %63 = stablehlo.dot_general %18, %59, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x12x2x8xf32>, tensor<4x2x12x12xf32>) -> tensor<4x2x8x12xf32>
    %64 = stablehlo.transpose %63, dims = [0, 3, 1, 2] : (tensor<4x2x8x12xf32>) -> tensor<4x12x2x8xf32>
    %65 = stablehlo.reshape %64 : (tensor<4x12x2x8xf32>) -> tensor<4x12x16xf32>
    %66 = stablehlo.dot_general %65, %arg14, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %67 = stablehlo.add %arg10, %66 : tensor<4x12x16xf32>
    %68 = stablehlo.dot_general %67, %arg12, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x32xf32>) -> tensor<4x12x32xf32>
    %69:3 = call @silu(%68) : (tensor<4x12x32xf32>) -> (tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>)
    %70 = stablehlo.dot_general %67, %arg16, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x32xf32>) -> tensor<4x12x32xf32>
    %71 = stablehlo.multiply %69#0, %70 : tensor<4x12x32xf32>
    %72 = stablehlo.dot_general %71, %arg11, contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12x32xf32>, tensor<32x16xf32>) -> tensor<4x12x16xf32>
    %73 = stablehlo.add %67, %72 : tensor<4x12x16xf32>
    return %73, %arg10, %10, %7, %12, %44, %31, %55, %57, %62, %59, %18, %65, %67, %69#1, %69#2, %68, %70, %69#0, %71 : tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x1xf32>, tensor<4x12x1xf32>, tensor<4x12x16xf32>, tensor<4x12x2x8xf32>, tensor<4x12x2x8xf32>, tensor<4x2x12x12xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x1xf32>, tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>, tensor<4x12x16xf32>, tensor<4x12x16xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x2x12x12xf32>, %arg1: tensor<4x2x12x12xi1>, %arg2: tensor<4x2x12x12xf32>) -> tensor<4x2x12x12xf32> {
    %0 = stablehlo.select %arg1, %arg0, %arg2 : tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>
    return %0 : tensor<4x2x12x12xf32>
  }
  func.func private @silu(%arg0: tensor<4x12x32xf32>) -> (tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x12x32xf32>
    %1 = stablehlo.exponential %0 : tensor<4x12x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12x32xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x12x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x12x32xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x12x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x12x32xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x12x32xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x12x32xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x12x32xf32>
    return %9, %8, %5 : tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x4x12x16xf32>, %arg1: tensor<4x12x16xf32>, %arg2: tensor<i32>) -> tensor<2x4x12x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x12x16xf32>) -> tensor<1x4x12x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x12x16xf32>, tensor<1x4x12x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x12x16xf32>
    return %1 : tensor<2x4x12x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<2x4x12x1xf32>, %arg1: tensor<4x12x1xf32>, %arg2: tensor<i32>) -> tensor<2x4x12x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x12x1xf32>) -> tensor<1x4x12x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x12x1xf32>, tensor<1x4x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x12x1xf32>
    return %1 : tensor<2x4x12x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<2x4x12x2x8xf32>, %arg1: tensor<4x12x2x8xf32>, %arg2: tensor<i32>) -> tensor<2x4x12x2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x12x2x8xf32>) -> tensor<1x4x12x2x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x4x12x2x8xf32>, tensor<1x4x12x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x12x2x8xf32>
    return %1 : tensor<2x4x12x2x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<2x4x2x12x12xf32>, %arg1: tensor<4x2x12x12xf32>, %arg2: tensor<i32>) -> tensor<2x4x2x12x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x2x12x12xf32>) -> tensor<1x4x2x12x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x4x2x12x12xf32>, tensor<1x4x2x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x2x12x12xf32>
    return %1 : tensor<2x4x2x12x12xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<2x4x2x12x1xf32>, %arg1: tensor<4x2x12x1xf32>, %arg2: tensor<i32>) -> tensor<2x4x2x12x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x2x12x1xf32>) -> tensor<1x4x2x12x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<2x4x2x12x1xf32>, tensor<1x4x2x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x2x12x1xf32>
    return %1 : tensor<2x4x2x12x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<2x4x12x32xf32>, %arg1: tensor<4x12x32xf32>, %arg2: tensor<i32>) -> tensor<2x4x12x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x12x32xf32>) -> tensor<1x4x12x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<2x4x12x32xf32>, tensor<1x4x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x12x32xf32>
    return %1 : tensor<2x4x12x32xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x12x30xf32>) -> (tensor<4x12x30xf32>, tensor<4x12x30xf32>, tensor<4x12x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x12x30xf32>, tensor<f32>) -> tensor<4x12xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4x12xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x12x1xf32>) -> tensor<4x12x30xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x12x30xf32>
    %6 = stablehlo.exponential %5 : tensor<4x12x30xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x12x30xf32>, tensor<f32>) -> tensor<4x12xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x1xf32>
    %9 = stablehlo.log %8 : tensor<4x12x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x12x1xf32>) -> tensor<4x12x30xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x12x30xf32>
    return %11, %6, %8 : tensor<4x12x30xf32>, tensor<4x12x30xf32>, tensor<4x12x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x12x30xf32>, %arg1: tensor<4x12x1xi32>) -> (tensor<4x12x1xf32>, tensor<4x12x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x12x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x12x1xi32>, tensor<4x12x1xi32>) -> tensor<4x12x1xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x12x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x12x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x12x1xi1>, tensor<4x12x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x12x1xi32>) -> tensor<4x12x1x1xi32>
    %c_1 = stablehlo.constant dense<29> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x12x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x12x1x1xi32>, tensor<4x12x1x1xi32>) -> tensor<4x12x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x12x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x12x1x1xi32>, tensor<4x12x1x1xi32>) -> tensor<4x12x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x12x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x12x1x1xi1>, tensor<i1>) -> tensor<4x12x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x12x30xf32>, tensor<4x12x1x1xi32>) -> tensor<4x12x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x12x1xi1>, tensor<4x12x1xf32>
    return %15, %5 : tensor<4x12x1xf32>, tensor<4x12x1x1xi32>
  }
  func.func private @take_along_axis_8(%arg0: tensor<4x12x1x1xi32>, %arg1: tensor<4x12x1xf32>) -> tensor<4x12x30xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12x30xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x12x30xf32>, tensor<4x12x1x1xi32>, tensor<4x12x1xf32>) -> tensor<4x12x30xf32>
    return %1 : tensor<4x12x30xf32>
  }
  func.func private @log_softmax_9(%arg0: tensor<4x12x30xf32>, %arg1: tensor<4x12x1xf32>, %arg2: tensor<4x12x30xf32>) -> tensor<4x12x30xf32> {
    %0 = stablehlo.negate %arg2 : tensor<4x12x30xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x12x30xf32>, tensor<f32>) -> tensor<4x12xf32>
    %2 = stablehlo.reshape %1 : (tensor<4x12xf32>) -> tensor<4x12x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<4x12x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x12x1xf32>, tensor<f32>) -> tensor<4x12xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x30xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<4x12x30xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<4x12x30xf32>
    return %7 : tensor<4x12x30xf32>
  }
  func.func private @dynamic_index_in_dim_10(%arg0: tensor<2x4x12x16xf32>, %arg1: tensor<i32>) -> tensor<4x12x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 12, 16] : (tensor<2x4x12x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12x16xf32>) -> tensor<4x12x16xf32>
    return %1 : tensor<4x12x16xf32>
  }
  func.func private @dynamic_index_in_dim_11(%arg0: tensor<2x4x12x1xf32>, %arg1: tensor<i32>) -> tensor<4x12x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 12, 1] : (tensor<2x4x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12x1xf32>) -> tensor<4x12x1xf32>
    return %1 : tensor<4x12x1xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<2x4x12x2x8xf32>, %arg1: tensor<i32>) -> tensor<4x12x2x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 12, 2, 8] : (tensor<2x4x12x2x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12x2x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12x2x8xf32>) -> tensor<4x12x2x8xf32>
    return %1 : tensor<4x12x2x8xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<2x4x2x12x12xf32>, %arg1: tensor<i32>) -> tensor<4x2x12x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 2, 12, 12] : (tensor<2x4x2x12x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x12x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x12x12xf32>) -> tensor<4x2x12x12xf32>
    return %1 : tensor<4x2x12x12xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<2x4x2x12x1xf32>, %arg1: tensor<i32>) -> tensor<4x2x12x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 2, 12, 1] : (tensor<2x4x2x12x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x2x12x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x2x12x1xf32>) -> tensor<4x2x12x1xf32>
    return %1 : tensor<4x2x12x1xf32>
  }
  func.func private @dynamic_index_in_dim_15(%arg0: tensor<2x4x12x32xf32>, %arg1: tensor<i32>) -> tensor<4x12x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 12, 32] : (tensor<2x4x12x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12x32xf32>) -> tensor<4x12x32xf32>
    return %1 : tensor<4x12x32xf32>
  }
  func.func private @closed_call_16(%arg0: tensor<1x12x1x4xf32>, %arg1: tensor<1x12x1x4xf32>, %arg2: tensor<1x12x1x4xf32>, %arg3: tensor<1x12x1x4xf32>, %arg4: tensor<1x12x1x4xf32>, %arg5: tensor<1x12x1x4xf32>, %arg6: tensor<1x12x1x4xf32>, %arg7: tensor<1x12x1x4xf32>, %arg8: tensor<4x2x12x12xi1>, %arg9: tensor<4x12x16xf32>, %arg10: tensor<4x12x16xf32>, %arg11: tensor<4x12x1xf32>, %arg12: tensor<4x12x1xf32>, %arg13: tensor<16x16xf32>, %arg14: tensor<4x12x16xf32>, %arg15: tensor<16x16xf32>, %arg16: tensor<16x16xf32>, %arg17: tensor<4x12x2x8xf32>, %arg18: tensor<4x12x2x8xf32>, %arg19: tensor<4x2x12x12xf32>, %arg20: tensor<4x2x12x1xf32>, %arg21: tensor<4x2x12x1xf32>, %arg22: tensor<4x2x12x12xf32>, %arg23: tensor<4x12x2x8xf32>, %arg24: tensor<16x16xf32>, %arg25: tensor<4x12x16xf32>, %arg26: tensor<16x32xf32>, %arg27: tensor<4x12x16xf32>, %arg28: tensor<4x12x32xf32>, %arg29: tensor<4x12x32xf32>, %arg30: tensor<4x12x32xf32>, %arg31: tensor<16x32xf32>, %arg32: tensor<4x12x32xf32>, %arg33: tensor<4x12x32xf32>, %arg34: tensor<32x16xf32>, %arg35: tensor<4x12x32xf32>) -> (tensor<4x12x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.dot_general %arg9, %arg35, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<4x12x32xf32>) -> tensor<16x32xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %2 = stablehlo.dot_general %arg9, %arg34, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<32x16xf32>) -> tensor<4x12x32xf32>
    %3 = stablehlo.multiply %arg33, %2 : tensor<4x12x32xf32>
    %4 = stablehlo.multiply %2, %arg32 : tensor<4x12x32xf32>
    %5 = stablehlo.dot_general %3, %arg27, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x32xf32>, tensor<4x12x16xf32>) -> tensor<32x16xf32>
    %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %7 = stablehlo.dot_general %3, %arg31, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x32xf32>, tensor<16x32xf32>) -> tensor<4x12x16xf32>
    %8 = stablehlo.add %arg9, %7 : tensor<4x12x16xf32>
    %9 = call @silu_17(%arg28, %arg29, %arg30, %4) : (tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>, tensor<4x12x32xf32>) -> tensor<4x12x32xf32>
    %10 = stablehlo.dot_general %9, %arg27, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x32xf32>, tensor<4x12x16xf32>) -> tensor<32x16xf32>
    %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %12 = stablehlo.dot_general %9, %arg26, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x32xf32>, tensor<16x32xf32>) -> tensor<4x12x16xf32>
    %13 = stablehlo.add %8, %12 : tensor<4x12x16xf32>
    %14 = stablehlo.dot_general %13, %arg25, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<4x12x16xf32>) -> tensor<16x16xf32>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %16 = stablehlo.dot_general %13, %arg24, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %17 = stablehlo.reshape %16 : (tensor<4x12x16xf32>) -> tensor<4x12x2x8xf32>
    %18 = stablehlo.transpose %17, dims = [0, 2, 3, 1] : (tensor<4x12x2x8xf32>) -> tensor<4x2x8x12xf32>
    %19 = stablehlo.dot_general %18, %arg23, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x12xf32>, tensor<4x12x2x8xf32>) -> tensor<4x2x12x12xf32>
    %20 = stablehlo.dot_general %18, %arg22, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [HIGHEST, HIGHEST] : (tensor<4x2x8x12xf32>, tensor<4x2x12x12xf32>) -> tensor<4x2x8x12xf32>
    %21 = stablehlo.transpose %20, dims = [0, 3, 1, 2] : (tensor<4x2x8x12xf32>) -> tensor<4x12x2x8xf32>
    %22 = stablehlo.broadcast_in_dim %arg21, dims = [0, 1, 2, 3] : (tensor<4x2x12x1xf32>) -> tensor<4x2x12x12xf32>
    %23 = stablehlo.multiply %19, %22 : tensor<4x2x12x12xf32>
    %24 = stablehlo.multiply %23, %arg19 : tensor<4x2x12x12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<4x2x12x12xf32>, tensor<f32>) -> tensor<4x2x12xf32>
    %26 = stablehlo.reshape %25 : (tensor<4x2x12xf32>) -> tensor<4x2x12x1xf32>
    %27 = stablehlo.negate %26 : tensor<4x2x12x1xf32>
    %28 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1, 2, 3] : (tensor<4x2x12x1xf32>) -> tensor<4x2x12x12xf32>
    %29 = stablehlo.divide %19, %28 : tensor<4x2x12x12xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%27 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<4x2x12x1xf32>, tensor<f32>) -> tensor<4x2x12xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x2x12xf32>) -> tensor<4x2x12x12xf32>
    %32 = stablehlo.add %29, %31 : tensor<4x2x12x12xf32>
    %33 = stablehlo.multiply %32, %arg19 : tensor<4x2x12x12xf32>
    %34 = call @_where_18(%arg8, %33) : (tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>) -> tensor<4x2x12x12xf32>
    %cst_1 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x2x12x12xf32>
    %36 = stablehlo.divide %34, %35 : tensor<4x2x12x12xf32>
    %37 = stablehlo.dot_general %36, %arg18, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>) -> tensor<4x2x12x8xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<4x2x12x8xf32>) -> tensor<4x12x2x8xf32>
    %39 = stablehlo.dot_general %36, %arg17, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x2x12x12xf32>, tensor<4x12x2x8xf32>) -> tensor<4x2x12x8xf32>
    %40 = stablehlo.transpose %39, dims = [0, 2, 1, 3] : (tensor<4x2x12x8xf32>) -> tensor<4x12x2x8xf32>
    %41 = stablehlo.slice %38 [0:4, 0:12, 0:2, 0:4] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %42 = stablehlo.slice %38 [0:4, 0:12, 0:2, 4:8] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %43 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %44 = stablehlo.multiply %42, %43 : tensor<4x12x2x4xf32>
    %45 = stablehlo.broadcast_in_dim %arg6, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %46 = stablehlo.multiply %42, %45 : tensor<4x12x2x4xf32>
    %47 = stablehlo.negate %41 : tensor<4x12x2x4xf32>
    %48 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %49 = stablehlo.multiply %47, %48 : tensor<4x12x2x4xf32>
    %50 = stablehlo.add %44, %49 : tensor<4x12x2x4xf32>
    %51 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %52 = stablehlo.multiply %41, %51 : tensor<4x12x2x4xf32>
    %53 = stablehlo.add %46, %52 : tensor<4x12x2x4xf32>
    %54 = stablehlo.concatenate %53, %50, dim = 3 : (tensor<4x12x2x4xf32>, tensor<4x12x2x4xf32>) -> tensor<4x12x2x8xf32>
    %55 = stablehlo.slice %40 [0:4, 0:12, 0:2, 0:4] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %56 = stablehlo.slice %40 [0:4, 0:12, 0:2, 4:8] : (tensor<4x12x2x8xf32>) -> tensor<4x12x2x4xf32>
    %57 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %58 = stablehlo.multiply %56, %57 : tensor<4x12x2x4xf32>
    %59 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %60 = stablehlo.multiply %56, %59 : tensor<4x12x2x4xf32>
    %61 = stablehlo.negate %55 : tensor<4x12x2x4xf32>
    %62 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %63 = stablehlo.multiply %61, %62 : tensor<4x12x2x4xf32>
    %64 = stablehlo.add %58, %63 : tensor<4x12x2x4xf32>
    %65 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x12x1x4xf32>) -> tensor<4x12x2x4xf32>
    %66 = stablehlo.multiply %55, %65 : tensor<4x12x2x4xf32>
    %67 = stablehlo.add %60, %66 : tensor<4x12x2x4xf32>
    %68 = stablehlo.concatenate %67, %64, dim = 3 : (tensor<4x12x2x4xf32>, tensor<4x12x2x4xf32>) -> tensor<4x12x2x8xf32>
    %69 = stablehlo.reshape %21 : (tensor<4x12x2x8xf32>) -> tensor<4x12x16xf32>
    %70 = stablehlo.dot_general %69, %arg14, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<4x12x16xf32>) -> tensor<16x16xf32>
    %71 = stablehlo.transpose %70, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %72 = stablehlo.dot_general %69, %arg16, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %73 = stablehlo.reshape %54 : (tensor<4x12x2x8xf32>) -> tensor<4x12x16xf32>
    %74 = stablehlo.dot_general %73, %arg14, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<4x12x16xf32>) -> tensor<16x16xf32>
    %75 = stablehlo.transpose %74, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %76 = stablehlo.dot_general %73, %arg15, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %77 = stablehlo.add %72, %76 : tensor<4x12x16xf32>
    %78 = stablehlo.reshape %68 : (tensor<4x12x2x8xf32>) -> tensor<4x12x16xf32>
    %79 = stablehlo.dot_general %78, %arg14, contracting_dims = [0, 1] x [0, 1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<4x12x16xf32>) -> tensor<16x16xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %81 = stablehlo.dot_general %78, %arg13, contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12x16xf32>, tensor<16x16xf32>) -> tensor<4x12x16xf32>
    %82 = stablehlo.add %77, %81 : tensor<4x12x16xf32>
    %83 = stablehlo.multiply %arg10, %82 : tensor<4x12x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.reduce(%83 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x12x16xf32>, tensor<f32>) -> tensor<4x12xf32>
    %85 = stablehlo.reshape %84 : (tensor<4x12xf32>) -> tensor<4x12x1xf32>
    %86 = stablehlo.broadcast_in_dim %arg12, dims = [0, 1, 2] : (tensor<4x12x1xf32>) -> tensor<4x12x16xf32>
    %87 = stablehlo.multiply %82, %86 : tensor<4x12x16xf32>
    %88 = stablehlo.add %13, %87 : tensor<4x12x16xf32>
    %89 = stablehlo.multiply %85, %arg11 : tensor<4x12x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x12x1xf32>
    %91 = stablehlo.divide %89, %90 : tensor<4x12x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x12x1xf32>, tensor<f32>) -> tensor<4x12xf32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [0, 1] : (tensor<4x12xf32>) -> tensor<4x12x16xf32>
    %94 = stablehlo.multiply %arg10, %93 : tensor<4x12x16xf32>
    %95 = stablehlo.add %88, %94 : tensor<4x12x16xf32>
    %96 = stablehlo.multiply %93, %arg10 : tensor<4x12x16xf32>
    %97 = stablehlo.add %95, %96 : tensor<4x12x16xf32>
    return %97, %1, %11, %75, %15, %80, %6, %71 : tensor<4x12x16xf32>, tensor<32x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x32xf32>, tensor<16x16xf32>
  }
  func.func private @silu_17(%arg0: tensor<4x12x32xf32>, %arg1: tensor<4x12x32xf32>, %arg2: tensor<4x12x32xf32>, %arg3: tensor<4x12x32xf32>) -> tensor<4x12x32xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x12x32xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x12x32xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x12x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x12x32xf32>
    return %3 : tensor<4x12x32xf32>
  }
  func.func private @_where_18(%arg0: tensor<4x2x12x12xi1>, %arg1: tensor<4x2x12x12xf32>) -> tensor<4x2x12x12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x2x12x12xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x2x12x12xi1>, tensor<4x2x12x12xf32>
    return %1 : tensor<4x2x12x12xf32>
  }
  func.func private @dynamic_update_index_in_dim_19(%arg0: tensor<2x32x16xf32>, %arg1: tensor<32x16xf32>, %arg2: tensor<i32>) -> tensor<2x32x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x16xf32>) -> tensor<1x32x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x32x16xf32>, tensor<1x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x32x16xf32>
    return %1 : tensor<2x32x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_20(%arg0: tensor<2x16x32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<i32>) -> tensor<2x16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x32xf32>) -> tensor<1x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x32xf32>, tensor<1x16x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x32xf32>
    return %1 : tensor<2x16x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_21(%arg0: tensor<2x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<2x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x16x16xf32>
    return %1 : tensor<2x16x16xf32>
  }
}
