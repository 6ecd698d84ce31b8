#include "engine/formats/stablehlo/executed_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>

#include "engine/base/error.h"
#include "engine/formats/element_types.h"
#include "engine/formats/stablehlo/argument_roles.h"
#include "engine/formats/stablehlo/evaluator.h"
#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/loss_arguments.h"
#include "engine/formats/stablehlo/lowered_alone.h"
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

using Operations = std::set<const stablehlo::Operation*>;

// The operations that make a result and what comes back. Throws Error for one without numbers.
Operations needed_for(const stablehlo::Module& module, const std::vector<int>& successors,
                      int result) {
  int last = result;
  for (const int successor : successors) last = std::max(last, successor);
  std::vector<bool> wanted(static_cast<std::size_t>(last) + 1);
  wanted[static_cast<std::size_t>(result)] = true;
  for (const int successor : successors) {
    if (successor >= 0) wanted[static_cast<std::size_t>(successor)] = true;
  }
  const stablehlo::Function& entry = stablehlo::entry_of(module);
  Operations needed = stablehlo::LossArguments(module, entry).operations_behind(wanted);
  stablehlo::check_numbers(module, entry, needed);
  return needed;
}

// "result['loss']" or "result.loss", not "result['aux_loss']".
bool is_called_loss(std::string_view info) {
  constexpr std::string_view loss = "loss";
  const auto in_word = [&](std::size_t at) {
    return at < info.size() &&
           (std::isalnum(static_cast<unsigned char>(info[at])) != 0 || info[at] == '_');
  };
  for (auto at = info.find(loss); at != std::string_view::npos; at = info.find(loss, at + 1)) {
    if (!in_word(at - 1) && !in_word(at + loss.size())) return true;
  }
  return false;
}

// Numbers that may be the loss: an accuracy may stand before it, as JAX orders names. First those
// that are called so, then what the text alone tells, then the others.
std::vector<int> losses_of(const stablehlo::Function& entry, const StepArguments& step) {
  std::vector<int> named;
  std::vector<int> others;
  const std::vector<stablehlo::TensorType>& types = entry.body.operations.back().operand_types;
  for (std::size_t i = 0; i < std::min(types.size(), entry.results.size()); ++i) {
    const int result = static_cast<int>(i);
    const bool comes_back = std::ranges::find(step.successors, result) != step.successors.end();
    if (comes_back || !types[i].shape.scalar() || types[i].element != "f32") continue;
    const std::string_view info = entry.results[i].find("jax.result_info");
    (is_called_loss(info) ? named : others).push_back(result);
  }
  named.push_back(step.loss);
  named.insert(named.end(), others.begin(), others.end());
  return named;
}

struct Computed {
  int loss = -1;
  Operations needed{};
};

// The first that has numbers. Throws Error where there is none.
Computed computed_of(const stablehlo::Module& module, const StepArguments& step) {
  if (step.loss < 0) throw Error(fmt::format("{}: none of its results is a loss", module.file));
  std::string why;
  for (const int loss : losses_of(stablehlo::entry_of(module), step)) {
    try {
      return {loss, needed_for(module, step.successors, loss)};
    } catch (const Error& error) {
      if (why.empty()) why = error.what();
    }
  }
  throw Error(why);
}

// What a loss of no number may come from; a label beyond its classes makes one as well.
std::string why_no_number(const std::vector<Held>& arguments) {
  std::string integers;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::span<const float> values = arguments[i]->values();
    const auto none = std::ranges::count_if(values, [](float one) { return !std::isfinite(one); });
    if (none > 0) {
      return fmt::format("arg{} holds values that are infinite or no numbers, {} of {}", i, none,
                         values.size());
    }
    if (!is_integer(arguments[i]->dtype()) || values.empty()) continue;
    const auto [least, most] = std::ranges::minmax(values);
    integers += fmt::format(", arg{} from {:.0f} to {:.0f}", i, least, most);
  }
  std::string text = "all values of its arguments are finite numbers";
  if (integers.empty()) return text + "; look for a log or a root of 0, or a division by it";
  return fmt::format("{}; labels or indices may be too large: whole numbers are{}", text,
                     integers.substr(1));
}

}  // namespace

struct ExecutedStep::Parts {
  stablehlo::Module module;
  const stablehlo::Function* entry;
  std::vector<int> successors{};
  int loss = -1;
  std::optional<Evaluator> evaluator{};
  std::vector<Held> arguments{};
  std::vector<Held> batches{};  // of arguments with one for each step; null: of others
  std::int64_t step = 0;

  Parts(stablehlo::Module read, WorkerPool* workers)
      : module(std::move(read)), entry(&stablehlo::entry_of(module)) {
    const StepArguments told = stablehlo::roles_of(module, *entry).step;
    Computed computed = computed_of(module, told);
    successors = told.successors;
    loss = computed.loss;
    evaluator.emplace(module, std::move(computed.needed), workers);
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
    const std::vector<Held> results = evaluator->run(*entry, arguments);
    const Held& last = results[static_cast<std::size_t>(loss)];
    if (last == nullptr) throw Error(fmt::format("{}: its loss was not computed", module.file));
    const float made = last->values().back();
    if (step == 0 && !std::isfinite(made)) {
      throw Error(fmt::format("{}: the loss of its first step is {}: {}", module.file,
                              std::isnan(made) ? "not a number" : "infinite",
                              why_no_number(arguments)));
    }
    ++step;
    for (std::size_t i = 0; i < successors.size(); ++i) {
      const auto next = static_cast<std::size_t>(successors[i]);
      if (successors[i] >= 0 && next < results.size()) arguments[i] = results[next];
    }
    return made;
  }
};

ExecutedStep::ExecutedStep(std::string text, const std::string& file, const Safetensors& values,
                           WorkerPool* workers)
    : parts_(std::make_unique<Parts>(stablehlo::parse(std::move(text), file), workers)) {
  parts_->take(values);
}

ExecutedStep::~ExecutedStep() = default;

float ExecutedStep::advance() { return parts_->advance(); }

std::string why_not_executed(std::string text, const std::string& file) {
  try {
    const stablehlo::Module module = stablehlo::parse(std::move(text), file);
    computed_of(module, stablehlo::roles_of(module, stablehlo::entry_of(module)).step);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace tpulab
