// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, section 2.1), as it is trained: keys
// and values are made of the narrow row for each head.
#include "engine/training/networks/blocks.h"

namespace tpulab {

namespace {

Tensor narrow(Scope& scope, const std::string& name, Tensor x, std::int64_t width) {
  return dense(scope, name, x, width, DenseSplit::none, false);
}

Tensor heads_of(Scope& scope, const std::string& name, Tensor x, std::int64_t heads,
                std::int64_t width) {
  const Tensor all = dense(scope, name, x, heads * width, DenseSplit::columns, false);
  return split_heads(all, scope.share_of(heads, "heads"));
}

}  // namespace

Tensor latent_attention(Scope& scope, const std::string& name, Tensor x, std::int64_t heads,
                        const LatentSizes& sizes) {
  const std::int64_t width = x.shape().at(-1);
  const Tensor asked = rms_normalised(scope, name + ".query.norm",
                                      narrow(scope, name + ".query.down", x, sizes.queries));
  const Tensor queries =
      heads_of(scope, name + ".query.up", asked, heads, sizes.plain + sizes.turned);
  const Tensor down = narrow(scope, name + ".keys.down", x, sizes.keys + sizes.turned);
  const Tensor known = rms_normalised(scope, name + ".keys.norm", slice(down, 2, 0, sizes.keys));
  const Tensor up = heads_of(scope, name + ".keys.up", known, heads, sizes.plain + sizes.values);
  const Tensor turned_query = rotary_embedding(slice(queries, 3, sizes.plain, sizes.turned));
  const Tensor turned_key = rotary_embedding(slice(down, 2, sizes.keys, sizes.turned));
  const Tensor q = concatenate({slice(queries, 3, 0, sizes.plain), turned_query}, 3);
  const Tensor each_key =
      repeat_like(divided_among(turned_key, scope.tensor_group()), turned_query, 1);
  const Tensor k = concatenate({slice(up, 3, 0, sizes.plain), each_key}, 3);
  const Tensor values = slice(up, 3, sizes.plain, sizes.values);
  const DeviceSet context = scope.along(MeshAxis::context);
  const Tensor keys = all_gather(k, 2, context);
  const bool fused = scope.tracing().fuses(q.shape()[2], keys.shape()[2]);
  // One kernel has values as wide as keys: zeros fill them up.
  const std::int64_t more = fused ? sizes.plain + sizes.turned - sizes.values : 0;
  const Tensor v = more > 0 ? pad(values, 3, 0, more) : values;
  Tensor mixed = attention(
      q, keys, all_gather(v, 2, context),
      {.causal = true, .precision = scope.precision(), .fused = fused, .wide_softmax = true});
  if (more > 0) mixed = slice(mixed, 3, 0, sizes.values);
  return dense(scope, name + ".output", merge_heads(mixed), width, DenseSplit::rows, false);
}

}  // namespace tpulab
