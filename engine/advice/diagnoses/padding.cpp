// padding: products fill the matrix unit with zeros, as their rows or widths end shortly behind a
// multiple of its side.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/machine/price.h"

namespace tpulab::padding_diagnosis {

namespace {

constexpr double least_share = 0.05;  // of a step: below, no remedy could gain as much

struct Padded {
  Picoseconds wasted{};  // in products that have this extent
  std::string worst{};
  Picoseconds most{};
};

const MatrixWork* product_of(const Kernel& kernel) {
  for (const Work& item : kernel.work->items) {
    if (const auto* product = std::get_if<MatrixWork>(&item)) return product;
  }
  return nullptr;
}

// Of m and n one is streamed past the array, in eights; what it sums over lies in it.
bool lies_in_array(const MatrixWork& work, std::int64_t extent) {
  return work.k == extent || (work.m == extent && work.n == extent);
}

std::int64_t multiple_above(std::int64_t extent, std::int64_t side) {
  return (extent + side - 1) / side * side;
}

// What zeros beside that extent take in products that wait for nothing but the array.
Padded padded_by(std::int64_t extent, const Program& program, const Machine& machine) {
  Padded found;
  const auto side = static_cast<std::int64_t>(machine.generation().matrix_side);
  const std::int64_t tiles = multiple_above(extent, side);
  const double zeros = 1 - static_cast<double>(extent) / static_cast<double>(tiles);
  for (const Kernel& kernel : program.kernels) {
    const MatrixWork* const work = product_of(kernel);
    if (work == nullptr || !lies_in_array(*work, extent)) continue;
    const Price one = price(kernel.work, machine);
    if (one.bound != Bound::matrix_unit) continue;
    const Picoseconds wasted = scaled(one.matrix, zeros * static_cast<double>(kernel.runs));
    found.wasted += wasted;
    if (wasted <= found.most) continue;
    found.most = wasted;
    found.worst = fmt::format("{}: {}x{}x{}, {} -> {}", kernel.full_name(), work->m, work->k,
                              work->n, extent, tiles);
  }
  return found;
}

// Of dense layers, the last one's left out: what its rows are asked for.
std::vector<std::int64_t> widths_of(const Program& program) {
  std::vector<std::int64_t> widths;
  for (const NodeId input : program.inputs) {
    const Node& node = program.node(input);
    const bool weight = node.label.starts_with("layer") && node.label.ends_with(".weight");
    if (weight && node.type.shape.rank() == 2) widths.push_back(node.type.shape[1]);
  }
  if (!widths.empty()) widths.pop_back();
  return widths;
}

std::int64_t multiple_below(std::int64_t extent, std::int64_t side) {
  return extent > side ? extent / side * side : extent;
}

struct Remedy {
  std::string what;
  std::int64_t extent;
  std::vector<std::string> tries;
};

std::vector<Remedy> remedies(const RecordedRun& run, const Program& program, std::int64_t side) {
  std::vector<Remedy> all;
  const std::int64_t rows = run.usual_rows();
  if (rows > side && rows % side != 0) {
    const std::int64_t below = multiple_below(rows, side);
    all.push_back({fmt::format("{} a device", count_with(rows, "row")),
                   rows,
                   {fmt::format("batch {}", below), fmt::format("batch {}", below + side)}});
  }
  const std::vector<std::int64_t> widths = widths_of(program);
  std::vector<std::int64_t> narrower = widths;
  for (std::int64_t& width : narrower) width = multiple_below(width, side);
  for (const std::int64_t width : widths) {
    if (width == multiple_below(width, side)) continue;
    all.push_back({fmt::format("a layer of width {}", width),
                   width,
                   {fmt::format("hidden ({})", fmt::join(narrower, ","))}});
  }
  return all;
}

Finding in_run(const RecordedRun& run) {
  const Program* program = run.train_program();
  if (program == nullptr || program->nodes.empty() || run.steady.empty()) return {};
  const auto side = static_cast<std::int64_t>(run.machine.generation().matrix_side);
  Finding finding = found({},
                          "the array works on whole tiles, and zeros fill what a product has not; "
                          "narrower layers compute less besides",
                          {});
  Picoseconds most{};
  for (Remedy& remedy : remedies(run, *program, side)) {
    const Padded padded = padded_by(remedy.extent, *program, run.machine);
    if (padded.wasted <= most || padded.wasted < scaled(run.mean_step(), least_share)) continue;
    most = padded.wasted;
    finding.certain = {fmt::format("{}, no multiple of {}: zeros keep the matrix units busy for {}",
                                   remedy.what, side, of_a_step(run, padded.wasted)),
                       padded.worst};
    finding.tries = std::move(remedy.tries);
  }
  return finding.tries.empty() ? Finding{} : finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "padding",
    .title = "the matrix units multiply zeros",
    .family = Family::structure,
    .caused_by =
        "stack jax; devices 1; batch 1024; loader_row_us 1; hidden (1030,1030); "
        "matmul.precision highest",
    .cured_by = "hidden (1024,1024)",
    .change =
        "batch sizes and widths that are multiples of 128 (of 8 at least): nn.Linear(1024, 1024) "
        "in place of 1100",
    .changes_training = true,
    .least_gain = 0.05,
    .in_run = in_run,
};

}  // namespace tpulab::padding_diagnosis
