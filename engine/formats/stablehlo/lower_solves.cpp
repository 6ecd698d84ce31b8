// What XLA expands into products and passes of its own: fft, cholesky, triangular_solve,
// ragged_dot. Priced alone.
#include <algorithm>
#include <array>
#include <bit>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"
#include "engine/ops/general_ops.h"

namespace tpulab::stablehlo {

namespace {

Tensor priced(const Call& call, const char* name, Work work, std::int64_t kernels = 1) {
  constexpr std::int64_t most_kernels = 1 << 12;
  GeneralOp op{.name = name, .type = call.type, .work = std::move(work)};
  op.traits.kernels = static_cast<int>(std::clamp<std::int64_t>(kernels, 1, most_kernels));
  if (const auto* product = std::get_if<MatrixWork>(&op.work)) check_operations(name, *product);
  return apply_general(call.graph, std::move(op), call.inputs);
}

// 5 n log2(n) operations for n complex numbers (Cooley and Tukey).
Tensor fourier(const Call& call) {
  constexpr int a_stage = 5;
  const std::string_view key =
      call.operation.attributes.find("length").empty() ? "fft_length" : "length";
  std::uint64_t longest = 1;
  for (const std::int64_t length : call.list(key)) {
    longest = std::max(longest, static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1)));
  }
  Shape widest = call.type.shape;
  if (call.input(0).shape().elements() > widest.elements()) widest = call.input(0).shape();
  return priced(
      call, "fft",
      VectorWork{.shape = widest, .cheap = a_stage * static_cast<int>(std::bit_width(longest))});
}

// Rows and columns of the matrices that `x` ends with, and how many there are.
struct Matrices {
  std::int64_t count = 1;
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

Matrices matrices_of(const Call& call, std::size_t input) {
  const Shape& shape = call.input(input).shape();
  if (shape.rank() < 2) call.refuse("it needs matrices");
  Matrices all{.rows = shape.at(-2), .columns = shape.at(-1)};
  for (int axis = 0; axis + 2 < shape.rank(); ++axis) all.count *= shape[axis];
  return all;
}

// XLA eliminates blocks of so many columns, each waiting for the one before.
constexpr std::int64_t block = 128;
std::int64_t blocks_of(std::int64_t columns) { return (columns + block - 1) / block; }

// n^3 / 3 operations.
Tensor cholesky(const Call& call) {
  const Matrices a = matrices_of(call, 0);
  return priced(call, "cholesky", MatrixWork{a.count, a.rows, a.columns, (a.columns + 5) / 6},
                blocks_of(a.columns));
}

// n^2 operations for each column on the other side.
Tensor triangular_solve(const Call& call) {
  const Matrices a = matrices_of(call, 0);
  const Matrices b = matrices_of(call, 1);
  const std::int64_t others = b.rows == a.columns ? b.columns : b.rows;
  return priced(call, "triangular-solve",
                MatrixWork{a.count, others, a.columns, (a.columns + 1) / 2}, blocks_of(a.columns));
}

// Each row meets the matrix of its group alone.
Tensor ragged_dot(const Call& call) {
  const Attributes axes =
      inner_attributes(call.operation.attributes.find("ragged_dot_dimension_numbers"));
  const auto listed = [&](std::string_view key) { return whole_numbers(axes.find(key)); };
  const Axes contracted = listed("lhs_contracting_dimensions");
  const Axes batch = listed("lhs_batching_dimensions");
  Axes right_used = listed("rhs_contracting_dimensions");
  for (const std::string_view key : {"rhs_batching_dimensions", "rhs_group_dimensions"}) {
    std::ranges::copy(listed(key), std::back_inserter(right_used));
  }
  const auto extents = [&](const Shape& shape, const Axes& used, bool among) {
    std::int64_t product = 1;
    for (int axis = 0; axis < shape.rank(); ++axis) {
      const bool is_used = std::ranges::find(used, axis) != used.end();
      if (is_used == among) product *= shape[axis];
    }
    return product;
  };
  Axes left_used = contracted;
  std::ranges::copy(batch, std::back_inserter(left_used));
  const Shape& left = call.input(0).shape();
  return priced(call, "ragged-dot",
                MatrixWork{.batch = extents(left, batch, true),
                           .m = extents(left, left_used, false),
                           .k = extents(left, contracted, true),
                           .n = extents(call.input(1).shape(), right_used, false),
                           .passes = passes_of(precision_of(call.operation))});
}

constexpr std::array<LoweringRow, 4> solve_rows{{
    {"fft", fourier},
    {"cholesky", cholesky},
    {"triangular_solve", triangular_solve},
    {"ragged_dot", ragged_dot},
}};

}  // namespace

Lowering solve_lowering(std::string_view name) {
  const auto* const row = std::ranges::find(solve_rows, name, &LoweringRow::name);
  return row == solve_rows.end() ? nullptr : row->lower;
}

}  // namespace tpulab::stablehlo
