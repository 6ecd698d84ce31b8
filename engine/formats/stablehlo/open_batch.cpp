#include "engine/formats/stablehlo/open_batch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "engine/base/error.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

using Numbers = std::optional<std::vector<std::int64_t>>;

// An operation that gets its shape as a value, and the one of a fixed shape: its first operands.
struct Twin {
  std::string_view open;
  std::string_view fixed;
  std::size_t operands;
};
constexpr std::array<Twin, 4> twins{
    {{"stablehlo.dynamic_broadcast_in_dim", "stablehlo.broadcast_in_dim", 1},
     {"stablehlo.dynamic_reshape", "stablehlo.reshape", 1},
     {"stablehlo.dynamic_iota", "stablehlo.iota", 0},
     {"stablehlo.dynamic_gather", "stablehlo.gather", 2}}};

constexpr std::int64_t largest_size = std::int64_t{1} << 44;

std::int64_t computed(std::string_view name, std::int64_t left, std::int64_t right) {
  if (name == "add") return left + right;
  if (name == "subtract") return left - right;
  if (name == "divide") return right == 0 ? 0 : left / right;
  if (name == "maximum") return std::max(left, right);
  if (name == "minimum") return std::min(left, right);
  const bool fits = std::abs(left) < (1 << 22) && std::abs(right) < (1 << 22);
  return fits ? left * right : largest_size;
}

class Closer {
 public:
  Closer(Module& module, std::int64_t rows) : module_(module), rows_(rows) {}

  void run() {
    for (const Function& function : module_.functions) {
      for (const Argument& one : function.body.arguments) note_symbol(one);
    }
    if (symbol_.empty()) check_unnamed();
    for (Function& function : module_.functions) {
      known_.clear();
      close(function.body);
    }
  }

 private:
  void note_symbol(const Argument& argument) {
    const std::string_view symbol = argument.attributes.find("jax.global_constant");
    if (symbol.empty() || symbol == symbol_) return;
    if (!symbol_.empty()) {
      throw Error(
          fmt::format("{}: its sizes {} and {} are open; export with one that is, the batch",
                      module_.file, symbol_, symbol));
    }
    symbol_ = symbol;
  }

  // Sizes without a name are taken for one: the batch, which rows of arguments come in.
  void check_unnamed() const {
    for (const Function& function : module_.functions) {
      for (const Argument& one : function.body.arguments) {
        const std::string_view type = one.type.text;
        if (std::ranges::count(type, '?') < 2) continue;
        throw Error(
            fmt::format("{}: more than one size of {} is open; export with one that is, the batch",
                        module_.file, type));
      }
    }
  }

  // Names of regions inside each other are unlike; those of regions beside each other may be alike.
  void close(Region& region) {
    for (const Argument& one : region.arguments) {
      known_.erase(one.name);
      if (!one.attributes.find("jax.global_constant").empty()) known_[one.name] = {{rows_}};
    }
    std::erase_if(region.operations,
                  [](const Operation& one) { return target_of(one) == "shape_assertion"; });
    for (Operation& operation : region.operations) {
      close(operation);
      for (Region& inner : operation.regions) close(inner);
    }
  }

  void close(Operation& operation) {
    const Numbers numbers = numbers_of(operation);
    for (const Definition& one : operation.results) known_.erase(one.name);
    if (operation.results.size() == 1) known_[operation.results[0].name] = numbers;
    if (numbers && operation.name == "stablehlo.get_dimension_size") {
      operation = {.name = "stablehlo.constant",
                   .line = operation.line,
                   .results = operation.results,
                   .lists = {written(fmt::format("dense<{}>", numbers->front()))},
                   .result_types = operation.result_types};
    }
    const auto* const twin = std::ranges::find(twins, operation.name, &Twin::open);
    if (twin == twins.end() || operation.operands.empty()) return;
    const Numbers sizes = known(operation.operands.back());
    if (!twin->open.ends_with("gather")) {
      check_shape(operation, sizes);
    } else if (sizes) {
      operation.attributes.add("slice_sizes", written(fmt::format("[{}]", fmt::join(*sizes, ","))));
    }
    operation.name = twin->fixed;
    operation.operands.resize(std::min(operation.operands.size(), twin->operands));
    operation.operand_types.resize(std::min(operation.operand_types.size(), twin->operands));
  }

  // What the text says is `?` must be the batch.
  void check_shape(const Operation& operation, const Numbers& made) const {
    if (operation.result_types.size() != 1) return;
    if (!made || !std::ranges::equal(*made, operation.result_types[0].shape.extents())) {
      refuse(module_, operation,
             fmt::format("a size of {} follows from the open batch and is not the batch itself; "
                         "export with a fixed batch",
                         operation.result_types[0].text));
    }
  }

  std::string_view written(std::string text) {
    return module_.written.emplace_back(std::move(text));
  }

  Numbers known(const Use& use) const {
    const auto found = known_.find(use.name);
    return found == known_.end() || use.index != 0 ? Numbers{} : found->second;
  }

  // Whole numbers that shapes are made of.
  Numbers numbers_of(const Operation& operation) const {
    constexpr std::int64_t most = std::int64_t{2} * Shape::max_rank;
    const std::string_view name = without_dialect(operation.name);
    if (operation.result_types.size() != 1) return {};
    const TensorType& type = operation.result_types[0];
    if (type.shape.rank() > 1 || type.shape.elements() > most) return {};
    if (name == "constant") {
      const std::string_view raw = literal_of(operation);
      auto numbers = whole_numbers(raw.substr(0, raw.find(':')));
      for (std::int64_t& one : numbers) one = std::clamp(one, -largest_size, largest_size);
      if (numbers.size() == 1) {
        numbers.resize(static_cast<std::size_t>(type.shape.elements()), numbers[0]);
      }
      return numbers;
    }
    if (name == "get_dimension_size") return extent_of(operation);
    if (name == "reshape" || name == "convert" || name == "broadcast_in_dim") {
      return operation.operands.empty() ? Numbers{} : known(operation.operands[0]);
    }
    if (name == "concatenate") return joined(operation);
    constexpr std::array<std::string_view, 6> folds{"add",    "subtract", "multiply",
                                                    "divide", "maximum",  "minimum"};
    if (std::ranges::find(folds, name) == folds.end() || operation.operands.size() != 2) return {};
    Numbers left = known(operation.operands[0]);
    const Numbers right = known(operation.operands[1]);
    if (!left || !right || left->size() != right->size()) return {};
    for (std::size_t i = 0; i < left->size(); ++i) {
      (*left)[i] = std::clamp(computed(name, (*left)[i], (*right)[i]), -largest_size, largest_size);
    }
    return left;
  }

  static Numbers extent_of(const Operation& operation) {
    const auto axis = whole_numbers(
        operation.attributes.find(operation.attributes.find("dim").empty() ? "dimension" : "dim"));
    if (axis.size() != 1 || operation.operand_types.size() != 1) return {};
    const Shape& shape = operation.operand_types[0].shape;
    if (axis[0] < 0 || axis[0] >= shape.rank()) return {};
    return {{shape[static_cast<int>(axis[0])]}};
  }

  Numbers joined(const Operation& operation) const {
    std::vector<std::int64_t> all;
    for (const Use& use : operation.operands) {
      const Numbers part = known(use);
      if (!part) return {};
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }

  Module& module_;
  std::int64_t rows_;
  std::string_view symbol_;
  std::map<std::string_view, Numbers> known_;
};

}  // namespace

void close_batch(Module& module, std::int64_t rows) { Closer(module, rows).run(); }

}  // namespace tpulab::stablehlo
