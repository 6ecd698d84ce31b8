#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include "engine/base/error.h"
#include "engine/ops/tile_product.h"

namespace tpulab {

namespace {

// oneDNN would start an OpenMP team of its own inside each of our threads.
void keep_openmp_single_threaded() {
  thread_local const bool done = (omp_set_num_threads(1), true);
  static_cast<void>(done);
}

// Each instruction set is a bit beside those of the sets that it includes.
std::string instruction_set_name() {
  const auto bits = static_cast<unsigned>(dnnl_get_effective_cpu_isa());
  const auto includes = [bits](dnnl_cpu_isa_t set) {
    return (bits & static_cast<unsigned>(set)) == static_cast<unsigned>(set);
  };
  if (includes(dnnl_cpu_isa_avx512_core)) return ", AVX-512";
  if (includes(dnnl_cpu_isa_avx2)) return ", AVX2";
  if (includes(dnnl_cpu_isa_avx)) return ", AVX";
  return includes(dnnl_cpu_isa_sse41) ? ", SSE4.1" : "";
}

}  // namespace

std::string product_library() { return "oneDNN" + instruction_set_name(); }

// Of tiles as small as ours oneDNN packs nothing, and rows that are 4 KiB apart share the sets of a
// cache (1024 x 256 by 256 x 1024 on AVX2: 33 GFLOP/s, 66 of a copy).
bool reads_slowly(std::int64_t stride) { return stride % 1024 == 0; }

void multiply_tile(Factor left, Factor right, const ProductExtents& extents, bool accumulate,
                   float* out, std::int64_t stride) {
  keep_openmp_single_threaded();
  const dnnl_status_t status =
      dnnl_sgemm(left.transposed ? 'T' : 'N', right.transposed ? 'T' : 'N', extents.m, extents.n,
                 extents.k, 1.0f, left.data, left.stride, right.data, right.stride,
                 accumulate ? 1.0f : 0.0f, out, stride);
  expects(status == dnnl_success, "oneDNN multiplies tiles of any size");
}

}  // namespace tpulab
