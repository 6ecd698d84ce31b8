// What JAX writes for Fourier and Gaussian layers, ragged experts, hand-made exchanges, many axes.
module @jit_rare attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x32x64xf32>, %arg1: tensor<16x32x32xcomplex<f32>>, %arg2: tensor<2x128x128xf32>, %arg3: tensor<512x64xf32>, %arg4: tensor<8x64x256xf32>, %arg5: tensor<8xi32>, %arg6: tensor<2xui64>, %arg7: tensor<2x2x4x2x4x2x4x32xf32>) -> (tensor<8x32x64xf32>, tensor<2x128x128xf32>, tensor<512x256xf32>, tensor<8x64x256xf32>, tensor<2xui64>, tensor<2x2x2x2x4x4x4x32xf32>) {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [64] : (tensor<8x32x64xf32>) -> tensor<8x32x33xcomplex<f32>>
    %1 = stablehlo.slice %0 [0:8, 0:32, 0:16] : (tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x16xcomplex<f32>>
    %2 = stablehlo.dot_general %1, %arg1, batching_dims = [2] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x16xcomplex<f32>>, tensor<16x32x32xcomplex<f32>>) -> tensor<16x8x32xcomplex<f32>>
    %3 = stablehlo.real %2 : (tensor<16x8x32xcomplex<f32>>) -> tensor<16x8x32xf32>
    %4 = stablehlo.imag %2 : (tensor<16x8x32xcomplex<f32>>) -> tensor<16x8x32xf32>
    %5 = stablehlo.complex %3, %4 : tensor<16x8x32xcomplex<f32>>
    %6 = stablehlo.transpose %5, dims = [1, 2, 0] : (tensor<16x8x32xcomplex<f32>>) -> tensor<8x32x16xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %7 = stablehlo.pad %6, %cst, low = [0, 0, 0], high = [0, 0, 17], interior = [0, 0, 0] : (tensor<8x32x16xcomplex<f32>>, tensor<complex<f32>>) -> tensor<8x32x33xcomplex<f32>>
    %8 = stablehlo.fft %7, type = IRFFT, length = [64] : (tensor<8x32x33xcomplex<f32>>) -> tensor<8x32x64xf32>
    %9 = stablehlo.cholesky %arg2, lower = true : tensor<2x128x128xf32>
    %10 = "stablehlo.triangular_solve"(%9, %arg2) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x128x128xf32>, tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
    %11 = "chlo.ragged_dot"(%arg3, %arg4, %arg5) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<512x64xf32>, tensor<8x64x256xf32>, tensor<8xi32>) -> tensor<512x256xf32>
    %12 = "chlo.ragged_dot"(%arg3, %11, %arg5) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<512x64xf32>, tensor<512x256xf32>, tensor<8xi32>) -> tensor<8x64x256xf32>
    %13 = stablehlo.bitcast_convert %arg6 : (tensor<2xui64>) -> tensor<2x2xui32>
    %14 = stablehlo.bitcast_convert %13 : (tensor<2x2xui32>) -> tensor<2xui64>
    %15 = chlo.sinh %8 : tensor<8x32x64xf32> -> tensor<8x32x64xf32>
    %16 = chlo.digamma %15 : tensor<8x32x64xf32> -> tensor<8x32x64xf32>
    %17 = "stablehlo.collective_permute"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 4], [4, 6], [6, 0]]> : tensor<4x2xi64>}> : (tensor<8x32x64xf32>) -> tensor<8x32x64xf32>
    %18 = "stablehlo.all_to_all"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x32x64xf32>) -> tensor<2x128x64xf32>
    %19 = stablehlo.reshape %18 : (tensor<2x128x64xf32>) -> tensor<8x32x64xf32>
    %20 = stablehlo.transpose %arg7, dims = [0, 1, 3, 5, 2, 4, 6, 7] : (tensor<2x2x4x2x4x2x4x32xf32>) -> tensor<2x2x2x2x4x4x4x32xf32>
    %21 = stablehlo.negate %20 : tensor<2x2x2x2x4x4x4x32xf32>
    return %19, %10, %11, %12, %14, %21 : tensor<8x32x64xf32>, tensor<2x128x128xf32>, tensor<512x256xf32>, tensor<8x64x256xf32>, tensor<2xui64>, tensor<2x2x2x2x4x4x4x32xf32>
  }
}
