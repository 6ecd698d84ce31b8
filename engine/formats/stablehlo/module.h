// A StableHLO text as it is written: functions, their operations, attributes as raw text. Nothing
// is computed here. All string_views look into Module::text and Module::written.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/shape.h"

namespace tpulab::stablehlo {

// So deep functions that call each other are followed.
inline constexpr int deepest_calls = 64;
// Values that calls give to functions, which may be the same again and again.
inline constexpr std::int64_t most_handed_on = 500'000;
inline constexpr std::string_view too_much_handed_on =
    "calls hand on more than 500,000 values; give a smaller program";

// tensor<8x16xf32>; anything else (a token, a tuple) has no element.
struct TensorType {
  Shape shape{};
  std::string_view element{};  // "f32", "i1"
  std::string_view text{};
};

// %name, or %name#index of an operation with several results.
struct Use {
  std::string_view name{};
  int index = 0;
};

// Keys and raw values, in the order of the text: "dims" -> "[0, 1]".
class Attributes {
 public:
  void add(std::string_view key, std::string_view value) { rows_.emplace_back(key, value); }
  // Empty if there is none.
  std::string_view find(std::string_view key) const;
  void set(std::string_view key, std::string_view value);
  bool empty() const { return rows_.empty(); }
  const std::vector<std::pair<std::string_view, std::string_view>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> rows_;
};

struct Argument {
  std::string_view name{};
  TensorType type{};
  Attributes attributes{};
  std::string_view location{};
  // By axis: devices that have the same of its rows. Empty: each has its own.
  std::vector<std::int64_t> copies{};
};

struct Operation;

// One block: `reducer(%a: .., %b: ..) { .. }`, the body of a while, of a function.
struct Region {
  std::vector<Argument> arguments{};
  std::vector<Operation> operations;
};

struct Definition {
  std::string_view name{};
  int count = 1;  // %3:2 stands for two values
};

struct Operation {
  std::string_view name{};  // "stablehlo.add"
  int line = 0;
  std::vector<Definition> results{};
  std::vector<Use> operands{};
  std::vector<std::string_view> words{};  // bare ones, in order: "LT", "applies", "stablehlo.add"
  std::vector<std::string_view> lists{};  // raw: "[0:1, 4:8]", "dense<0>", "#stablehlo.dot<..>"
  std::string_view symbol{};              // without its @
  Attributes attributes{};
  std::vector<Region> regions{};
  std::vector<TensorType> operand_types{};
  std::vector<TensorType> result_types{};
  std::string_view location{};
};

struct Function {
  std::string_view name{};
  int line = 0;
  Region body{};
  std::vector<Attributes> results{};
  std::vector<TensorType> result_types{};  // as its signature says; empty of the generic form
};

struct Module {
  std::string file{};  // as its errors name it
  std::shared_ptr<const std::string> text{};
  std::list<std::string> written{};  // in place of what the text has
  std::string_view name{};
  Attributes attributes{};
  std::vector<Function> functions{};
  std::vector<std::pair<std::string_view, std::string_view>> meshes{};   // "mesh" -> <["x"=8]>
  std::vector<std::pair<std::string_view, std::string_view>> aliases{};  // "loc7" -> loc(..)
  std::int64_t operations = 0;
  std::int64_t open_rows = 0;  // what its open batch was read as; 0: it has none

  const Function* find(std::string_view function) const;
};

// Throws Error "FILE line 12: stablehlo.add: what"; of an operation inside a call the one that was
// said there.
[[noreturn]] void refuse(const Module& module, const Operation& operation, std::string_view what);

}  // namespace tpulab::stablehlo
