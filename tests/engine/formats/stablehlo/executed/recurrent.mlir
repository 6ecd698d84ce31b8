module @jit_train attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x12xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<12x3xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<12x12xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<6x12xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x7x6xf32>, %arg5: tensor<4x3xf32>) -> (tensor<6x12xf32> {jax.result_info = "result[0]['n']"}, tensor<12x3xf32> {jax.result_info = "result[0]['o']"}, tensor<12x12xf32> {jax.result_info = "result[0]['u']"}, tensor<6x12xf32> {jax.result_info = "result[0]['z']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %1 = stablehlo.transpose %arg4, dims = [1, 0, 2] : (tensor<4x7x6xf32>) -> tensor<7x4x6xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x4x12xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<7x4x12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7x2x4x12xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<7x2x4x12xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<7x4x12xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<7x4x12xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<7x4x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10:14 = stablehlo.while(%iterArg = %1, %iterArg_26 = %arg3, %iterArg_27 = %arg2, %iterArg_28 = %arg0, %iterArg_29 = %c, %iterArg_30 = %0, %iterArg_31 = %2, %iterArg_32 = %3, %iterArg_33 = %4, %iterArg_34 = %5, %iterArg_35 = %6, %iterArg_36 = %7, %iterArg_37 = %8, %iterArg_38 = %9) : tensor<7x4x6xf32>, tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<i32>, tensor<4x12xf32>, tensor<7xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>
    cond {
      %c_39 = stablehlo.constant dense<7> : tensor<i32>
      %41 = stablehlo.compare LT, %iterArg_29, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %41 : tensor<i1>
    } do {
      %41 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_29) : (tensor<7x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %42:9 = func.call @closed_call(%iterArg_26, %iterArg_27, %iterArg_28, %iterArg_30, %41) : (tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>, tensor<4x6xf32>) -> (tensor<4x12xf32>, tensor<f32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>)
      %43 = func.call @dynamic_update_index_in_dim_1(%iterArg_31, %42#1, %iterArg_29) : (tensor<7xf32>, tensor<f32>, tensor<i32>) -> tensor<7xf32>
      %44 = func.call @dynamic_update_index_in_dim_2(%iterArg_32, %42#2, %iterArg_29) : (tensor<7x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<7x4x12xf32>
      %45 = func.call @dynamic_update_index_in_dim_2(%iterArg_33, %42#3, %iterArg_29) : (tensor<7x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<7x4x12xf32>
      %46 = func.call @dynamic_update_index_in_dim_3(%iterArg_34, %42#4, %iterArg_29) : (tensor<7x2x4x12xf32>, tensor<2x4x12xf32>, tensor<i32>) -> tensor<7x2x4x12xf32>
      %47 = func.call @dynamic_update_index_in_dim_3(%iterArg_35, %42#5, %iterArg_29) : (tensor<7x2x4x12xf32>, tensor<2x4x12xf32>, tensor<i32>) -> tensor<7x2x4x12xf32>
      %48 = func.call @dynamic_update_index_in_dim_2(%iterArg_36, %42#6, %iterArg_29) : (tensor<7x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<7x4x12xf32>
      %49 = func.call @dynamic_update_index_in_dim_2(%iterArg_37, %42#7, %iterArg_29) : (tensor<7x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<7x4x12xf32>
      %50 = func.call @dynamic_update_index_in_dim_2(%iterArg_38, %42#8, %iterArg_29) : (tensor<7x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<7x4x12xf32>
      %c_39 = stablehlo.constant dense<1> : tensor<i32>
      %51 = stablehlo.add %iterArg_29, %c_39 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %51, %42#0, %43, %44, %45, %46, %47, %48, %49, %50 : tensor<7x4x6xf32>, tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<i32>, tensor<4x12xf32>, tensor<7xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>
    }
    %11 = stablehlo.dot_general %10#5, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<12x3xf32>) -> tensor<4x3xf32>
    %12 = stablehlo.slice %10#6 [0:1] : (tensor<7xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %14 = stablehlo.compare GT, %13, %cst_8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %15 = stablehlo.convert %14 : (tensor<i1>) -> tensor<i32>
    %16:3 = "stablehlo.case"(%15) ({
      %41 = stablehlo.subtract %11, %arg5 : tensor<4x3xf32>
      %42 = stablehlo.abs %41 : tensor<4x3xf32>
      %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %44 = stablehlo.compare GE, %41, %43, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.reduce(%42 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %cst_28 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %46 = stablehlo.divide %45, %cst_28 : tensor<f32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %47 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      stablehlo.return %46, %44, %47 : tensor<f32>, tensor<4x3xi1>, tensor<4x3xf32>
    }, {
      %41 = stablehlo.subtract %11, %arg5 : tensor<4x3xf32>
      %42 = stablehlo.multiply %41, %41 : tensor<4x3xf32>
      %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %44 = stablehlo.multiply %43, %41 : tensor<4x3xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %45 = stablehlo.reduce(%42 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
      %cst_28 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %46 = stablehlo.divide %45, %cst_28 : tensor<f32>
      %c_29 = stablehlo.constant dense<false> : tensor<i1>
      %47 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i1>) -> tensor<4x3xi1>
      stablehlo.return %46, %47, %44 : tensor<f32>, tensor<4x3xi1>, tensor<4x3xf32>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<4x3xi1>, tensor<4x3xf32>)
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = "stablehlo.case"(%15) ({
      %cst_26 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %41 = stablehlo.divide %cst_9, %cst_26 : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %44 = stablehlo.select %16#1, %43, %42 : tensor<4x3xi1>, tensor<4x3xf32>
      %45 = stablehlo.select %16#1, %42, %43 : tensor<4x3xi1>, tensor<4x3xf32>
      %46 = stablehlo.negate %44 : tensor<4x3xf32>
      %47 = stablehlo.add %45, %46 : tensor<4x3xf32>
      stablehlo.return %47 : tensor<4x3xf32>
    }, {
      %cst_26 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
      %41 = stablehlo.divide %cst_9, %cst_26 : tensor<f32>
      %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
      %43 = stablehlo.multiply %42, %16#2 : tensor<4x3xf32>
      stablehlo.return %43 : tensor<4x3xf32>
    }) : (tensor<i32>) -> tensor<4x3xf32>
    %18 = stablehlo.dot_general %17, %10#5, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<4x12xf32>) -> tensor<3x12xf32>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<3x12xf32>) -> tensor<12x3xf32>
    %20 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x3xf32>, tensor<12x3xf32>) -> tensor<4x12xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %24:14 = stablehlo.while(%iterArg = %1, %iterArg_26 = %10#7, %iterArg_27 = %10#8, %iterArg_28 = %10#9, %iterArg_29 = %10#10, %iterArg_30 = %10#11, %iterArg_31 = %10#12, %iterArg_32 = %10#13, %iterArg_33 = %arg2, %iterArg_34 = %c_13, %iterArg_35 = %21, %iterArg_36 = %22, %iterArg_37 = %23, %iterArg_38 = %20) : tensor<7x4x6xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<12x12xf32>, tensor<i32>, tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>
    cond {
      %c_39 = stablehlo.constant dense<7> : tensor<i32>
      %41 = stablehlo.compare LT, %iterArg_34, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %41 : tensor<i1>
    } do {
      %c_39 = stablehlo.constant dense<7> : tensor<i32>
      %41 = stablehlo.subtract %c_39, %iterArg_34 : tensor<i32>
      %c_40 = stablehlo.constant dense<1> : tensor<i32>
      %42 = stablehlo.subtract %41, %c_40 : tensor<i32>
      %43 = func.call @dynamic_index_in_dim(%iterArg, %42) : (tensor<7x4x6xf32>, tensor<i32>) -> tensor<4x6xf32>
      %44 = func.call @dynamic_index_in_dim_4(%iterArg_26, %42) : (tensor<7x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %45 = func.call @dynamic_index_in_dim_4(%iterArg_27, %42) : (tensor<7x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %46 = func.call @dynamic_index_in_dim_5(%iterArg_28, %42) : (tensor<7x2x4x12xf32>, tensor<i32>) -> tensor<2x4x12xf32>
      %47 = func.call @dynamic_index_in_dim_5(%iterArg_29, %42) : (tensor<7x2x4x12xf32>, tensor<i32>) -> tensor<2x4x12xf32>
      %48 = func.call @dynamic_index_in_dim_4(%iterArg_30, %42) : (tensor<7x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %49 = func.call @dynamic_index_in_dim_4(%iterArg_31, %42) : (tensor<7x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %50 = func.call @dynamic_index_in_dim_4(%iterArg_32, %42) : (tensor<7x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %51:4 = func.call @closed_call_6(%iterArg_33, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %43, %44, %45, %46, %47, %48, %49, %50) : (tensor<12x12xf32>, tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>, tensor<4x6xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>) -> (tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>)
      %c_41 = stablehlo.constant dense<1> : tensor<i32>
      %52 = stablehlo.add %iterArg_34, %c_41 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_26, %iterArg_27, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %52, %51#0, %51#1, %51#2, %51#3 : tensor<7x4x6xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x2x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<7x4x12xf32>, tensor<12x12xf32>, tensor<i32>, tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>
    }
    %c_14 = stablehlo.constant dense<-1> : tensor<i32>
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %25 = call @clip(%24#12, %c_14, %c_15) : (tensor<6x12xf32>, tensor<i32>, tensor<i32>) -> tensor<6x12xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<6x12xf32>
    %28 = stablehlo.subtract %arg0, %27 : tensor<6x12xf32>
    %c_17 = stablehlo.constant dense<-1> : tensor<i32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %29 = call @clip_9(%19, %c_17, %c_18) : (tensor<12x3xf32>, tensor<i32>, tensor<i32>) -> tensor<12x3xf32>
    %cst_19 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<12x3xf32>
    %31 = stablehlo.multiply %30, %29 : tensor<12x3xf32>
    %32 = stablehlo.subtract %arg1, %31 : tensor<12x3xf32>
    %c_20 = stablehlo.constant dense<-1> : tensor<i32>
    %c_21 = stablehlo.constant dense<1> : tensor<i32>
    %33 = call @clip_10(%24#11, %c_20, %c_21) : (tensor<12x12xf32>, tensor<i32>, tensor<i32>) -> tensor<12x12xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<12x12xf32>
    %36 = stablehlo.subtract %arg2, %35 : tensor<12x12xf32>
    %c_23 = stablehlo.constant dense<-1> : tensor<i32>
    %c_24 = stablehlo.constant dense<1> : tensor<i32>
    %37 = call @clip(%24#10, %c_23, %c_24) : (tensor<6x12xf32>, tensor<i32>, tensor<i32>) -> tensor<6x12xf32>
    %cst_25 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %39 = stablehlo.multiply %38, %37 : tensor<6x12xf32>
    %40 = stablehlo.subtract %arg3, %39 : tensor<6x12xf32>
    return %28, %32, %36, %40, %16#0 : tensor<6x12xf32>, tensor<12x3xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<7x4x6xf32>, %arg1: tensor<i32>) -> tensor<4x6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 6] : (tensor<7x4x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x6xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @closed_call(%arg0: tensor<6x12xf32>, %arg1: tensor<12x12xf32>, %arg2: tensor<6x12xf32>, %arg3: tensor<4x12xf32>, %arg4: tensor<4x6xf32>) -> (tensor<4x12xf32>, tensor<f32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x6xf32>, tensor<6x12xf32>) -> tensor<4x12xf32>
    %1 = stablehlo.dot_general %arg3, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<12x12xf32>) -> tensor<4x12xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x12xf32>
    %3 = stablehlo.negate %2 : tensor<4x12xf32>
    %4 = stablehlo.exponential %3 : tensor<4x12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %6 = stablehlo.add %5, %4 : tensor<4x12xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %8 = stablehlo.divide %7, %6 : tensor<4x12xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %10 = stablehlo.subtract %9, %8 : tensor<4x12xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<4x12xf32>
    %12 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x6xf32>, tensor<6x12xf32>) -> tensor<4x12xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x4x12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<2x4x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:5 = stablehlo.while(%iterArg = %12, %iterArg_6 = %c, %iterArg_7 = %arg3, %iterArg_8 = %13, %iterArg_9 = %14) : tensor<4x12xf32>, tensor<i32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>
    cond {
      %c_10 = stablehlo.constant dense<2> : tensor<i32>
      %22 = stablehlo.compare LT, %iterArg_6, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %22:3 = func.call @closed_call_0(%iterArg, %iterArg_7) : (tensor<4x12xf32>, tensor<4x12xf32>) -> (tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>)
      %23 = func.call @dynamic_update_index_in_dim(%iterArg_8, %22#1, %iterArg_6) : (tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<2x4x12xf32>
      %24 = func.call @dynamic_update_index_in_dim(%iterArg_9, %22#2, %iterArg_6) : (tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<i32>) -> tensor<2x4x12xf32>
      %c_10 = stablehlo.constant dense<1> : tensor<i32>
      %25 = stablehlo.add %iterArg_6, %c_10 : tensor<i32>
      stablehlo.return %iterArg, %25, %22#0, %23, %24 : tensor<4x12xf32>, tensor<i32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>
    }
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %17 = stablehlo.subtract %16, %8 : tensor<4x12xf32>
    %18 = stablehlo.multiply %17, %15#2 : tensor<4x12xf32>
    %19 = stablehlo.multiply %8, %arg3 : tensor<4x12xf32>
    %20 = stablehlo.add %18, %19 : tensor<4x12xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%15#2 init: %cst_5) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x12xf32>, tensor<f32>) -> tensor<f32>
    return %20, %21, %arg3, %11, %15#3, %15#4, %15#2, %17, %8 : tensor<4x12xf32>, tensor<f32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<4x12xf32>, %arg1: tensor<4x12xf32>) -> (tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>) {
    %0 = stablehlo.add %arg1, %arg0 : tensor<4x12xf32>
    %1 = stablehlo.tanh %0 : tensor<4x12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x12xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<4x12xf32>
    return %1, %1, %3 : tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x4x12xf32>, %arg1: tensor<4x12xf32>, %arg2: tensor<i32>) -> tensor<2x4x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x12xf32>) -> tensor<1x4x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<2x4x12xf32>, tensor<1x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x12xf32>
    return %1 : tensor<2x4x12xf32>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<7xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<7xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<7xf32>, tensor<1xf32>, tensor<i32>) -> tensor<7xf32>
    return %1 : tensor<7xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<7x4x12xf32>, %arg1: tensor<4x12xf32>, %arg2: tensor<i32>) -> tensor<7x4x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x12xf32>) -> tensor<1x4x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<7x4x12xf32>, tensor<1x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x4x12xf32>
    return %1 : tensor<7x4x12xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<7x2x4x12xf32>, %arg1: tensor<2x4x12xf32>, %arg2: tensor<i32>) -> tensor<7x2x4x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<2x4x12xf32>) -> tensor<1x2x4x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<7x2x4x12xf32>, tensor<1x2x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x2x4x12xf32>
    return %1 : tensor<7x2x4x12xf32>
  }
  func.func private @dynamic_index_in_dim_4(%arg0: tensor<7x4x12xf32>, %arg1: tensor<i32>) -> tensor<4x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 12] : (tensor<7x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12xf32>) -> tensor<4x12xf32>
    return %1 : tensor<4x12xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<7x2x4x12xf32>, %arg1: tensor<i32>) -> tensor<2x4x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 2, 4, 12] : (tensor<7x2x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x4x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2x4x12xf32>) -> tensor<2x4x12xf32>
    return %1 : tensor<2x4x12xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<12x12xf32>, %arg1: tensor<6x12xf32>, %arg2: tensor<12x12xf32>, %arg3: tensor<6x12xf32>, %arg4: tensor<4x12xf32>, %arg5: tensor<4x6xf32>, %arg6: tensor<4x12xf32>, %arg7: tensor<4x12xf32>, %arg8: tensor<2x4x12xf32>, %arg9: tensor<2x4x12xf32>, %arg10: tensor<4x12xf32>, %arg11: tensor<4x12xf32>, %arg12: tensor<4x12xf32>) -> (tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>) {
    %0 = stablehlo.multiply %arg12, %arg4 : tensor<4x12xf32>
    %1 = stablehlo.multiply %arg4, %arg6 : tensor<4x12xf32>
    %2 = stablehlo.multiply %arg11, %arg4 : tensor<4x12xf32>
    %3 = stablehlo.multiply %arg4, %arg10 : tensor<4x12xf32>
    %4 = stablehlo.negate %3 : tensor<4x12xf32>
    %5 = stablehlo.add %1, %4 : tensor<4x12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7:6 = stablehlo.while(%iterArg = %arg8, %iterArg_0 = %arg9, %iterArg_1 = %arg5, %iterArg_2 = %c, %iterArg_3 = %6, %iterArg_4 = %2) : tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x6xf32>, tensor<i32>, tensor<6x12xf32>, tensor<4x12xf32>
    cond {
      %c_5 = stablehlo.constant dense<2> : tensor<i32>
      %19 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<2> : tensor<i32>
      %19 = stablehlo.subtract %c_5, %iterArg_2 : tensor<i32>
      %c_6 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.subtract %19, %c_6 : tensor<i32>
      %21 = func.call @dynamic_index_in_dim_7(%iterArg, %20) : (tensor<2x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %22 = func.call @dynamic_index_in_dim_7(%iterArg_0, %20) : (tensor<2x4x12xf32>, tensor<i32>) -> tensor<4x12xf32>
      %23:2 = func.call @closed_call_8(%iterArg_1, %iterArg_3, %iterArg_4, %21, %22) : (tensor<4x6xf32>, tensor<6x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>, tensor<4x12xf32>) -> (tensor<6x12xf32>, tensor<4x12xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %24 = stablehlo.add %iterArg_2, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_0, %iterArg_1, %24, %23#0, %23#1 : tensor<2x4x12xf32>, tensor<2x4x12xf32>, tensor<4x6xf32>, tensor<i32>, tensor<6x12xf32>, tensor<4x12xf32>
    }
    %8 = stablehlo.add %arg3, %7#4 : tensor<6x12xf32>
    %9 = stablehlo.add %0, %7#5 : tensor<4x12xf32>
    %10 = stablehlo.multiply %5, %arg7 : tensor<4x12xf32>
    %11 = stablehlo.dot_general %10, %arg6, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<4x12xf32>) -> tensor<12x12xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<12x12xf32>) -> tensor<12x12xf32>
    %13 = stablehlo.add %arg2, %12 : tensor<12x12xf32>
    %14 = stablehlo.dot_general %10, %arg0, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<12x12xf32>) -> tensor<4x12xf32>
    %15 = stablehlo.add %9, %14 : tensor<4x12xf32>
    %16 = stablehlo.dot_general %10, %arg5, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<4x6xf32>) -> tensor<12x6xf32>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<12x6xf32>) -> tensor<6x12xf32>
    %18 = stablehlo.add %arg1, %17 : tensor<6x12xf32>
    return %18, %13, %8, %15 : tensor<6x12xf32>, tensor<12x12xf32>, tensor<6x12xf32>, tensor<4x12xf32>
  }
  func.func private @dynamic_index_in_dim_7(%arg0: tensor<2x4x12xf32>, %arg1: tensor<i32>) -> tensor<4x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 12] : (tensor<2x4x12xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x12xf32>) -> tensor<4x12xf32>
    return %1 : tensor<4x12xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<4x6xf32>, %arg1: tensor<6x12xf32>, %arg2: tensor<4x12xf32>, %arg3: tensor<4x12xf32>, %arg4: tensor<4x12xf32>) -> (tensor<6x12xf32>, tensor<4x12xf32>) {
    %0 = stablehlo.multiply %arg2, %arg4 : tensor<4x12xf32>
    %1 = stablehlo.multiply %0, %arg3 : tensor<4x12xf32>
    %2 = stablehlo.add %0, %1 : tensor<4x12xf32>
    %3 = stablehlo.dot_general %2, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x12xf32>, tensor<4x6xf32>) -> tensor<12x6xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<12x6xf32>) -> tensor<6x12xf32>
    %5 = stablehlo.add %arg1, %4 : tensor<6x12xf32>
    return %5, %2 : tensor<6x12xf32>, tensor<4x12xf32>
  }
  func.func private @clip(%arg0: tensor<6x12xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<6x12xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<6x12xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<6x12xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<6x12xf32>
    return %5 : tensor<6x12xf32>
  }
  func.func private @clip_9(%arg0: tensor<12x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<12x3xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<12x3xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<12x3xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<12x3xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<12x3xf32>
    return %5 : tensor<12x3xf32>
  }
  func.func private @clip_10(%arg0: tensor<12x12xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<12x12xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<12x12xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<12x12xf32>
    return %5 : tensor<12x12xf32>
  }
}
