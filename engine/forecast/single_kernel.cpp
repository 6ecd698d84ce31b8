#include "engine/forecast/single_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/forecast/kernels.h"

namespace tpulab {

namespace {

using Sizes = std::vector<std::int64_t>;

struct KernelRow {
  std::string_view word;
  std::string_view sizes;  // what they are, one letter group each, as typed
  std::string_view example;
  bool weights;  // whether one operand of its products is
  Kernels (*make)(const Sizes& sizes, DType dtype, RowBlocks blocks);
};

constexpr std::array<KernelRow, 6> rows{{
    {"gemm", "MxKxN", "8192x8192x8192", true,
     [](const Sizes& s, DType dtype, RowBlocks) { return gemm(s[0], s[1], s[2], dtype); }},
    {"conv", "BATCHxHEIGHTxWIDTHxINPUTSxOUTPUTSxWINDOWxSTRIDE", "64x56x56x64x64x3x1", true,
     [](const Sizes& s, DType dtype, RowBlocks) {
       const Convolution shape{.batch = s[0],
                               .height = s[1],
                               .width = s[2],
                               .inputs = s[3],
                               .outputs = s[4],
                               .window = s[5],
                               .stride = s[6]};
       return convolution(shape, dtype);
     }},
    {"layernorm", "ROWSxWIDTH", "8192x768", false,
     [](const Sizes& s, DType dtype, RowBlocks blocks) {
       return layer_norm(s[0], s[1], dtype, blocks);
     }},
    {"softmax", "ROWSxWIDTH", "8192x8192", false,
     [](const Sizes& s, DType dtype, RowBlocks blocks) {
       return softmax(s[0], s[1], dtype, blocks);
     }},
    {"attention", "HEADSxTOKENSxWIDTH", "32x512x64", false,
     [](const Sizes& s, DType dtype, RowBlocks blocks) {
       return attention({.heads = s[0], .sequence = s[1], .width = s[2]}, dtype, blocks);
     }},
    {"encoder", "TOKENSxWIDTHxHEADS", "512x768x12", true,
     [](const Sizes& s, DType dtype, RowBlocks blocks) {
       return encoder_block({.sequence = s[0], .width = s[1], .heads = s[2]}, dtype, blocks);
     }},
}};

const KernelRow* row_of(std::string_view name) {
  const std::string_view word = name.substr(0, name.find('-'));
  return word.size() == name.size() ? nullptr : find_row(rows, word, &KernelRow::word);
}

std::string usage_of(const KernelRow& row) { return fmt::format("{}-{}", row.word, row.sizes); }

Sizes sizes_of(const KernelRow& row, std::string_view name) {
  constexpr std::int64_t largest = 16'777'216;
  const Error refusal(
      fmt::format("{} is no kernel: write {} with whole numbers from 1 to "
                  "16,777,216, such as {}-{}",
                  name, usage_of(row), row.word, row.example));
  Sizes sizes;
  for (const std::string& word : split(std::string(name.substr(row.word.size() + 1)), 'x')) {
    const std::int64_t size = number_in<std::int64_t>(word).value_or(0);
    if (size < 1 || size > largest) throw refusal;
    sizes.push_back(size);
  }
  if (static_cast<std::ptrdiff_t>(sizes.size()) != std::ranges::count(row.sizes, 'x') + 1) {
    throw refusal;
  }
  return sizes;
}

// Of an operand as it is streamed: heads once for each block of queries are no larger than what
// attention makes of them.
Bytes stored(const Operand& read, const Operand& made) {
  const bool alike = read.shape.rank() == 3 && made.shape.rank() == 3 &&
                     read.shape[1] == made.shape[1] && read.shape[2] == made.shape[2];
  const Shape& shape = alike ? made.shape : read.shape;
  return {shape.elements() * bytes_of(read.dtype)};
}

Bytes arrays_of(const KernelWork& kernel) {
  Bytes bytes;
  for (const auto* operands : {&kernel.reads, &kernel.writes}) {
    for (const Operand& one : *operands) bytes += stored(one, kernel.writes.front());
  }
  return bytes;
}

// Those of a layer's heads, each by itself, have no weights.
void set_products(KernelWork& kernel, const WorkOptions& options) {
  for (Work& item : kernel.items) {
    if (auto* work = std::get_if<MatrixWork>(&item)) {
      work->quantised = options.quantised && work->batch == 1;
      work->passes = work->quantised ? 1 : passes_of(options.products);
    }
  }
}

// One array as it is, in another order.
bool lays_out_anew(const KernelWork& kernel) {
  if (kernel.reads.size() != 1 || kernel.writes.size() != 1) return false;
  const Operand& from = kernel.reads.front();
  const Operand& to = kernel.writes.front();
  return from.dtype == to.dtype && from.shape.elements() == to.shape.elements() &&
         from.shape != to.shape;
}

}  // namespace

bool names_kernel(std::string_view name) { return row_of(name) != nullptr; }

bool has_weights(std::string_view kernel) {
  const KernelRow* row = row_of(kernel);
  return row != nullptr && row->weights;
}

std::vector<std::int64_t> kernel_sizes(std::string_view name) {
  const KernelRow* row = row_of(name);
  expects(row != nullptr, "the name of a kernel");
  return sizes_of(*row, name);
}

StepWork kernel_step(std::string_view name, const WorkOptions& options) {
  const KernelRow* row = row_of(name);
  expects(row != nullptr, "the name of a kernel");
  Kernels kernels = row->make(sizes_of(*row, name), options.compute, options.row_blocks);
  Block block{.name = std::string(row->word)};
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    set_products(kernels[i], options);
    const Bytes bytes = arrays_of(kernels[i]);
    if (bytes > block.largest) block.large = {{"operands and result", {bytes}}};
    block.largest = std::max(block.largest, bytes);
    std::string called =
        lays_out_anew(kernels[i]) ? "copy to another layout" : fmt::format("kernel {}", i + 1);
    block.forward.push_back({std::move(called), std::move(kernels[i])});
  }
  StepWork step;
  step.traced_ops = static_cast<int>(block.forward.size());
  step.forward_ops = step.traced_ops;
  step.working = block.largest;
  step.blocks.push_back(std::move(block));
  return step;
}

std::vector<std::string> kernel_examples() {
  std::vector<std::string> examples;
  examples.reserve(rows.size());
  for (const KernelRow& row : rows) examples.push_back(fmt::format("{}-{}", row.word, row.example));
  return examples;
}

}  // namespace tpulab
