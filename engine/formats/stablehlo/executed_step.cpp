#include "engine/formats/stablehlo/executed_step.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/argument_roles.h"
#include "engine/formats/stablehlo/evaluator.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/parser.h"

namespace tpulab {

using stablehlo::Evaluator;
using Held = Evaluator::Held;

namespace {

Held row_of(const Array& all, std::int64_t row, const Shape& shape) {
  const auto size = static_cast<std::size_t>(shape.elements());
  const auto values = all.values().subspan(static_cast<std::size_t>(row) * size, size);
  return std::make_shared<const Array>(shape, std::vector<float>(values.begin(), values.end()),
                                       all.dtype());
}

}  // namespace

struct ExecutedStep::Parts {
  stablehlo::Module module;
  const stablehlo::Function* entry;
  Evaluator evaluator;
  std::vector<Held> arguments{};
  std::vector<Held> batches{};  // of arguments with one for each step; null: of others
  std::vector<int> successors{};
  int loss = -1;
  std::int64_t step = 0;

  Parts(stablehlo::Module read, WorkerPool* workers)
      : module(std::move(read)), entry(&stablehlo::entry_of(module)), evaluator(module, workers) {
    const stablehlo::ArgumentRoles roles = stablehlo::roles_of(module, *entry);
    successors = roles.step.successors;
    loss = roles.step.loss;
  }

  void take(const Safetensors& values) {
    for (std::size_t i = 0; i < entry->body.arguments.size(); ++i) {
      const std::string name = fmt::format("arg{}", i);
      const auto found = std::ranges::find(values.arrays, name, &NamedArray::name);
      const stablehlo::TensorType& written = entry->body.arguments[i].type;
      const auto dtype = dtype_of_mlir(written.element);
      if (found == values.arrays.end() || !dtype) {
        throw Error(fmt::format("{}: {} of {} has no numbers", module.file, name, written.text));
      }
      const Array& given = found->values;
      const bool each = !(given.shape() == written.shape);
      const auto rows = each && given.shape().rank() > 0 ? given.shape()[0] : 0;
      if (each && (rows == 0 || written.shape.rank() == Shape::max_rank ||
                   !(written.shape.of_rows(rows) == given.shape()))) {
        throw Error(fmt::format("{}: {} is {}; its numbers are {}", module.file, name, written.text,
                                text_of(given.dtype(), given.shape())));
      }
      auto held = std::make_shared<const Array>(
          given.shape(), std::vector<float>(given.values().begin(), given.values().end()), *dtype);
      batches.push_back(each ? held : nullptr);
      arguments.push_back(each ? row_of(*held, 0, written.shape) : held);
    }
  }

  float advance() {
    for (std::size_t i = 0; i < batches.size(); ++i) {
      if (batches[i] == nullptr) continue;
      const std::int64_t row = step % batches[i]->shape()[0];
      arguments[i] = row_of(*batches[i], row, entry->body.arguments[i].type.shape);
    }
    const std::vector<Held> results = evaluator.run(*entry, arguments);
    if (loss < 0) throw Error(fmt::format("{}: none of its results is a loss", module.file));
    ++step;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const auto next = static_cast<std::size_t>(successors[i]);
      if (successors[i] >= 0 && next < results.size()) arguments[i] = results[next];
    }
    return results[static_cast<std::size_t>(loss)]->values().back();
  }
};

ExecutedStep::ExecutedStep(std::string text, const std::string& file, const Safetensors& values,
                           WorkerPool* workers)
    : parts_(std::make_unique<Parts>(stablehlo::parse(std::move(text), file), workers)) {
  parts_->take(values);
}

ExecutedStep::~ExecutedStep() = default;

float ExecutedStep::advance() { return parts_->advance(); }

}  // namespace tpulab
