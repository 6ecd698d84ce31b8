// One operation of MLIR after the other, in the pretty form of its dialect or in the generic one.
#pragma once

#include <vector>

#include "engine/formats/stablehlo/module.h"
#include "engine/formats/stablehlo/scanner.h"

namespace tpulab::stablehlo {

class OperationReader {
 public:
  explicit OperationReader(Scanner& scan) : scan_(scan) {}

  // `depth`: regions around it.
  Operation operation(int depth);
  // { ops } with its arguments known, or { ^bb0(%a: t): ops }.
  void body(Region& region, int depth);
  // %a: type {attributes} loc(..), .. up to `end`, which is taken too.
  std::vector<Argument> arguments(std::string_view end);
  // {key = value, unit}
  Attributes dictionary();
  // loc(..) if it comes next, else empty.
  std::string_view location();

  std::int64_t operations() const { return operations_; }

 private:
  void results(Operation& operation);
  void generic(Operation& operation, int depth);
  void pretty(Operation& operation, int depth);
  bool part(Operation& operation, std::vector<Argument>& pending, int depth);
  bool word_or_attribute(Operation& operation);
  void group(Operation& operation, std::vector<Argument>& pending);
  void region(Operation& operation, const std::vector<Argument>& arguments, int depth);
  void tail(Operation& operation, std::vector<Argument>& pending, int depth);
  void types(Operation& operation);
  std::vector<TensorType> type_list();
  TensorType type();
  Use use();
  std::int64_t small_number();
  void add(Operation& operation, const Attributes& more);

  Scanner& scan_;
  std::int64_t operations_ = 0;
};

}  // namespace tpulab::stablehlo
