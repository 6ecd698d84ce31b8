func.func @main(%q: tensor<512x64xbf16>, %k: tensor<64x512xbf16>, %v: tensor<512x64xbf16>) -> (tensor<512x64xbf16>, tensor<512xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.dot_general %q, %k, contracting_dims = [1] x [0] : (tensor<512x64xbf16>, tensor<64x512xbf16>) -> tensor<512x512xbf16>
  %f = stablehlo.convert %s : (tensor<512x512xbf16>) -> tensor<512x512xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<512x512xf32>
  %w = stablehlo.divide %f, %eight : tensor<512x512xf32>
  %m = stablehlo.reduce(%w init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %d = stablehlo.subtract %w, %mb : tensor<512x512xf32>
  %e = stablehlo.exponential %d : tensor<512x512xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  %tb = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<512xf32>) -> tensor<512x512xf32>
  %p = stablehlo.divide %e, %tb : tensor<512x512xf32>
  %h = stablehlo.convert %p : (tensor<512x512xf32>) -> tensor<512x512xbf16>
  %y = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0] : (tensor<512x512xbf16>, tensor<512x64xbf16>) -> tensor<512x64xbf16>
  %pp = stablehlo.multiply %p, %p : tensor<512x512xf32>
  %r = stablehlo.reduce(%pp init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %y, %r : tensor<512x64xbf16>, tensor<512xf32>
}
