// What a kernel has to do, in words that know neither graphs nor machines: the common language of
// engine/graph (which counts it) and engine/machine (which prices it).
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/shape.h"
#include "engine/base/units.h"

namespace tpulab {

// Of a vector register of every generation, at 32 bits a lane (Norrie et al., Hot Chips 2020).
inline constexpr std::int64_t lane_count = 128;
inline constexpr std::int64_t sublane_count = 8;

// batch x (m x k times k x n). m, k and n are unpadded; the pricer may stream either side.
struct MatrixWork {
  std::int64_t batch = 1;
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
  DType operand = DType::bf16;
  int passes = 1;  // 1, 3 or 6 bf16 passes (matmul.precision default, high, highest)
  // k is made of so many pieces that the array pads one by one: the rows of a convolution's
  // window. More than one also fixes m (the pixels) as the streamed side.
  std::int64_t k_pieces = 1;
  std::int64_t window = 0;  // taps of a convolution's; 0: as many rows as columns
  // Unless the batch lies along the lanes: then the outputs may be streamed past the pixels.
  bool batch_in_lanes = false;
  std::int64_t images = 0;  // of each pixel, in the sublanes if not there; 0: m is made of none
  bool quantised = false;   // operands as int8, where the array multiplies those faster
  bool fp8 = false;         // operands of eight bits with fractions, as bf16 where it has none
  // Of a product with a vector: the other operand lies with k along the lanes, as keys of attention
  // do with the width of a head.
  bool sums_along_lanes = false;
  // Rows that published counts have beside m, as a mask hides them; fewer than none where a kernel
  // visits blocks that a mask hides in part.
  std::int64_t hidden = 0;

  // A convolution in groups narrower than the lanes has its images there, and each pixel of a group
  // is a product of its own: rows, or in a filter's gradient what is summed, are the images alone
  // [TPU compiler, v3 to v6e: about as many clocks for 8 images as for 128].
  MatrixWork in_narrow_groups(std::int64_t pixels, std::int64_t of_window, bool sums_pixels) const {
    const std::int64_t rows = pixels > 0 ? (sums_pixels ? k : m) / pixels : 0;
    if (batch == 1 || n == 1 || n >= lane_count || rows < 2) return *this;
    MatrixWork each = *this;
    (sums_pixels ? each.k : each.m) = rows;
    each.batch *= pixels;
    each.k_pieces = 1;
    each.images = 0;
    each.window = of_window;
    return each;
  }

  std::int64_t taps() const { return window > 0 ? window : k_pieces * k_pieces; }
  Flops flops() const { return {2 * batch * m * k * n}; }
  Flops published_flops() const { return {2 * batch * (m + hidden) * k * n}; }
  bool operator==(const MatrixWork&) const = default;
};

// Operations per element of `shape`, by cost class (add, multiply, compare; divide, square root;
// exp, log, tanh).
struct VectorWork {
  Shape shape;
  int cheap = 0;
  int medium = 0;
  int transcendental = 0;
  int reduced_axis =
      -1;  // the axis folded away, -1 for none; the innermost one is the slow lane axis
  // Of a depthwise convolution: what it multiplies and adds. The model's operations, as those of a
  // product are, though no matrix unit does them.
  Flops convolved{};
  bool operator==(const VectorWork&) const = default;
};

enum class CollectiveKind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  permute,  // each device hands its array to a neighbour
};

// `size` devices, each `apart` from the next in their order; size 0: all devices of the run.
struct DeviceSet {
  int size = 0;
  int apart = 1;
  bool operator==(const DeviceSet&) const = default;
};

// `bytes` is the unpadded payload of one device: the whole array of a reduction, the gathered one
// of an all-gather, what it hands on of the others.
struct CollectiveWork {
  CollectiveKind kind = CollectiveKind::all_reduce;
  Bytes bytes;
  DeviceSet among{};
  bool operator==(const CollectiveWork&) const = default;
};

// Work for a host CPU: operations and bytes touched.
struct HostWork {
  Flops flops;
  Bytes bytes;
  bool operator==(const HostWork&) const = default;
};

// What a device hands to the memory of its host, or takes from there, while its kernels go on. The
// link carries both at once.
struct HostLinkWork {
  Bytes bytes;
  bool taken = false;
  bool operator==(const HostLinkWork&) const = default;
};

using Work =
    std::variant<std::monostate, MatrixWork, VectorWork, CollectiveWork, HostWork, HostLinkWork>;

struct Operand {
  Shape shape;
  DType dtype = DType::f32;
  // A chip that holds so much between kernels needs no HBM for it: this array, and all that kernels
  // touch between two touches of it. 0: none does.
  Bytes held{};
  Bytes bytes() const { return {shape.elements() * bytes_of(dtype)}; }  // unpadded
  bool operator==(const Operand&) const = default;
};

// One fused kernel: what it computes and what crosses the HBM boundary.
struct KernelWork {
  std::vector<Work> items;
  std::vector<Operand> reads;
  std::vector<Operand> writes;

  // Of all that it reads and writes, unpadded.
  Bytes bytes() const {
    Bytes total;
    for (const auto* operands : {&reads, &writes}) {
      for (const Operand& operand : *operands) total += operand.bytes();
    }
    return total;
  }
  Flops flops() const {
    Flops total;
    for (const Work& item : items) {
      if (const auto* product = std::get_if<MatrixWork>(&item)) total += product->flops();
    }
    return total;
  }
  bool operator==(const KernelWork&) const = default;
};

// The work of a kernel that stands in many lists: they share it, and nobody changes it.
class SharedKernelWork {
 public:
  SharedKernelWork() : SharedKernelWork(none()) {}
  SharedKernelWork(KernelWork work) : work_(std::make_shared<const KernelWork>(std::move(work))) {}
  SharedKernelWork(std::vector<Work> items, std::vector<Operand> reads, std::vector<Operand> writes)
      : SharedKernelWork(KernelWork{std::move(items), std::move(reads), std::move(writes)}) {}
  operator const KernelWork&() const { return *work_; }
  const KernelWork& operator*() const { return *work_; }
  const KernelWork* operator->() const { return work_.get(); }
  bool operator==(const SharedKernelWork& other) const {
    return work_ == other.work_ || *work_ == *other.work_;
  }

 private:
  static const SharedKernelWork& none() {
    static const SharedKernelWork nothing{KernelWork{}};
    return nothing;
  }

  std::shared_ptr<const KernelWork> work_;
};

}  // namespace tpulab
