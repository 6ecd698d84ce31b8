#include "engine/advice/lowered.h"

#include <algorithm>
#include <array>

#include "engine/base/text.h"

namespace tpulab {

namespace {

// From the lists of lowered functions of releases 1.13 to 2.9; the first of a name's beginning
// counts.
constexpr std::array<std::string_view, 8> dynamic_ops{
    "nonzero", "masked_select", "masked_scatter", "unique",
    "_unique", "nms",           "segment_reduce", "repeat_interleave"};

struct Alternative {
  std::string_view op;
  std::string_view instead;
};
constexpr std::array<Alternative, 24> alternatives{{
    {"bincount", "one_hot(labels, classes).sum(0), or weights counted once from all labels"},
    {"nonzero", "torch.where(mask, rows, 0) and divide by mask.sum(), or topk of a fixed number"},
    {"masked_select", "torch.where(mask, x, 0) and divide by mask.sum()"},
    {"masked_scatter", "torch.where with values of the full shape"},
    {"_unique", "sort, which is lowered, or unique values found while data is prepared"},
    {"unique", "sort, which is lowered, or unique values found while data is prepared"},
    {"repeat_interleave", "repeat_interleave with output_size, or a gather by fixed indices"},
    {"nms", "a fixed number of boxes by topk, or nms after training steps on the CPU"},
    {"im2col", "a convolution with a kernel of ones at one place, or unfold by slices"},
    {"col2im", "conv_transpose2d"},
    {"median", "kthvalue, which is lowered"},
    {"nanmedian", "kthvalue, which is lowered"},
    {"mode", "sort and count, or find it while data is prepared"},
    {"histc", "one_hot of the bin's number, summed"},
    {"searchsorted", "(values[:, None] >= edges).sum(1)"},
    {"bucketize", "(values[:, None] >= edges).sum(1)"},
    {"_ctc_loss", "a newer release, or a loss made of lowered operations"},
    {"huber_loss", "smooth_l1_loss(beta=delta) * delta"},
    {"grid_sampler", "resize while data is prepared, or bilinear by gather"},
    {"upsample_bicubic2d", "upsample_bilinear2d, which is lowered"},
    {"_fft", "a product with the matrix of the transform, for short lengths"},
    {"logcumsumexp", "cumsum of exp(x - max), then log"},
    {"cummin", "-cummax(-x) since 2.7"},
    {"prelu", "torch.where(x > 0, x, weight * x), or release 2.2 and newer"},
}};

// Missing in the lists of lowered functions (xla_native_functions.yaml of pytorch/xla) of releases
// 1.13 to 2.9, and no composites of others. A name without a dot stands for all its overloads.
constexpr std::string_view never_lowered =
    "_unique2 unique_dim unique_consecutive bincount repeat_interleave.Tensor equal "
    "segment_reduce median nanmedian mode histc searchsorted bucketize aminmax _ctc_loss "
    "_ctc_loss_backward huber_loss multi_margin_loss multilabel_margin_loss_forward "
    "grid_sampler_2d grid_sampler_2d_backward grid_sampler_3d upsample_bicubic2d "
    "upsample_linear1d upsample_trilinear3d upsample_nearest1d upsample_nearest3d im2col col2im "
    "unfold_backward adaptive_max_pool3d fractional_max_pool2d _fft_r2c _fft_c2c _fft_c2r "
    "complex angle polar linalg_qr linalg_lstsq linalg_eig linalg_lu_factor_ex _linalg_solve_ex "
    "_linalg_det lu_unpack _cdist_backward _pdist_backward renorm lgamma digamma polygamma i0 "
    "igamma sinc hypot nextafter logaddexp gcd lcm heaviside copysign.Tensor frexp poisson "
    "binomial geometric_ cauchy_ log_normal_ cummin logcumsumexp index_reduce glu_backward "
    "_embedding_bag";

std::string_view bare(std::string_view op) {
  const auto at = op.rfind(':');
  return at == std::string_view::npos ? op : op.substr(at + 1);
}

}  // namespace

bool has_dynamic_shape(std::string_view op) {
  return std::ranges::any_of(dynamic_ops,
                             [&](std::string_view name) { return bare(op).starts_with(name); });
}

bool has_no_lowering(std::string_view op) {
  const std::string_view full = bare(op);
  const std::string_view name = full.substr(0, full.find('.'));
  return std::ranges::any_of(words_in(never_lowered), [&](std::string_view row) {
    if (row == full || row == name) return true;
    return name.ends_with('_') && row == name.substr(0, name.size() - 1);  // in place
  });
}

std::string lowered_alternative(std::string_view op) {
  const auto row = std::ranges::find_if(
      alternatives, [&](const Alternative& one) { return bare(op).starts_with(one.op); });
  if (row != alternatives.end()) return std::string(row->instead);
  return "an operation that is lowered, the same work while data is prepared, or a newer release";
}

}  // namespace tpulab
