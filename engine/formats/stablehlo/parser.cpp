#include "engine/formats/stablehlo/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/stablehlo/open_batch.h"
#include "engine/formats/stablehlo/operation_reader.h"
#include "engine/formats/stablehlo/scanner.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

bool same(const TensorType& a, const TensorType& b) {
  return a.element == b.element && a.shape == b.shape;
}

// Null where the text does not tell.
const TensorType* type_of(const Use& value, const Region& body) {
  for (const Argument& one : body.arguments) {
    if (one.name == value.name) return &one.type;
  }
  for (const Operation& one : body.operations) {
    std::size_t place = 0;
    for (const Definition& made : one.results) {
      if (made.name == value.name) {
        place += static_cast<std::size_t>(value.index);
        return place < one.result_types.size() ? &one.result_types[place] : nullptr;
      }
      place += static_cast<std::size_t>(made.count);
    }
  }
  return nullptr;
}

// What it returns is said three times: by the values, the operation and the signature.
void check_return(const Module& module, const Function& function) {
  if (function.body.operations.empty()) return;
  const Operation& last = function.body.operations.back();
  const std::size_t count = last.operands.size();
  const bool counted = function.result_types.empty() || function.result_types.size() == count;
  if (last.name != "func.return") return;
  if (!counted || last.operand_types.size() != count) {
    refuse(module, last,
           fmt::format("it returns {}, with {}; @{} says {}", count_with(count, "value"),
                       count_with(last.operand_types.size(), "type"), function.name,
                       count_with(function.result_types.size(), "result")));
  }
  for (std::size_t i = 0; i < count; ++i) {
    const TensorType& said = last.operand_types[i];
    const TensorType* const value = type_of(last.operands[i], function.body);
    if (value != nullptr && !same(*value, said)) {
      refuse(module, last,
             fmt::format("%{} is {}, not {}", last.operands[i].name, value->text, said.text));
    }
    if (!function.result_types.empty() && !same(function.result_types[i], said)) {
      refuse(module, last,
             fmt::format("result {} of @{} is {}, not {}", i + 1, function.name,
                         function.result_types[i].text, said.text));
    }
  }
}

class Parser {
 public:
  Parser(Module& module, std::int64_t rows)
      : module_(module), scan_(*module.text, module.file, rows), reader_(scan_) {}

  // Whether its batch is open.
  bool run() {
    while (!scan_.at_end()) top_level(0);
    if (module_.functions.empty()) {
      scan_.refuse(
          "no function of StableHLO is here; give what jax.jit(step).lower(...).as_text() prints");
    }
    module_.operations = reader_.operations();
    return scan_.open();
  }

 private:
  void top_level(int depth) {
    if (scan_.accept("#")) {
      const std::string_view name = scan_.name();
      scan_.expect("=", "after the name of an attribute");
      scan_.peek();
      const std::size_t from = scan_.position();
      scan_.value();
      if (scan_.peek() == '(') scan_.balanced();  // loc(..)
      module_.aliases.emplace_back(name, scan_.since(from));
      return;
    }
    if (scan_.accept("{-#")) return skip_resources();
    if (depth > 0 && scan_.peek() == '}') return;
    if (scan_.accept_word("module")) return pretty_module(depth);
    if (scan_.accept_word("func.func")) return pretty_function();
    Operation operation = reader_.operation(depth);
    take(operation);
  }

  // Of the generic form, where a module is an operation like others. Meshes are skipped.
  void take(Operation& operation) {
    if (operation.name == "builtin.module") {
      for (Region& region : operation.regions) {
        for (Operation& inner : region.operations) take(inner);
      }
    } else if (operation.name == "func.func") {
      if (operation.regions.size() != 1) return;
      std::string_view name = operation.attributes.find("sym_name");
      if (name.size() >= 2) name = name.substr(1, name.size() - 2);
      Function function{name, operation.line, std::move(operation.regions.front()), {}, {}};
      const auto attributes = parts_of(operation.attributes.find("arg_attrs"));
      for (std::size_t i = 0; i < function.body.arguments.size() && i < attributes.size(); ++i) {
        function.body.arguments[i].attributes = inner_attributes(attributes[i]);
      }
      add(std::move(function));
    } else if (operation.name == "sdy.mesh" && !operation.lists.empty()) {
      module_.meshes.emplace_back(operation.symbol, operation.lists.front());
    } else if (!operation.name.starts_with("sdy.")) {
      throw Error(
          fmt::format("{} line {}: '{}' stands outside of all functions; give StableHLO text, as "
                      "jax.jit(step).lower(...).as_text() prints it",
                      module_.file, operation.line, operation.name));
    }
  }

  void skip_resources() {
    while (!scan_.accept("#-}")) {
      const char c = scan_.peek();
      if (c == 0) scan_.refuse("'#-}' is missing behind the resources");
      if (c == '"') {
        scan_.quoted();
      } else if (!scan_.accept(std::string_view(&c, 1))) {
        scan_.refuse("resources are not readable");
      }
    }
  }

  void pretty_module(int depth) {
    if (depth > 0) scan_.refuse("a module inside a module");
    if (scan_.accept("@")) module_.name = scan_.name();
    if (scan_.accept_word("attributes")) module_.attributes = reader_.dictionary();
    scan_.expect("{", "before the functions of a module");
    while (!scan_.accept("}")) {
      if (scan_.at_end()) scan_.refuse("the module does not end: a '}' is missing");
      top_level(depth + 1);
    }
    reader_.location();
  }

  void pretty_function() {
    Function function{.line = scan_.line()};
    if (!scan_.accept_word("public")) scan_.accept_word("private");
    scan_.expect("@", "before the name of a function");
    function.name = scan_.name();
    scan_.expect("(", "before the arguments of a function");
    function.body.arguments = reader_.arguments(")");
    if (scan_.accept("->")) result_list(function);
    if (scan_.accept_word("attributes")) reader_.dictionary();
    if (scan_.peek() == '{') reader_.body(function.body, 0);
    reader_.location();
    add(std::move(function));
  }

  void add(Function function) {
    check_return(module_, function);
    module_.functions.push_back(std::move(function));
  }

  void result_list(Function& function) {
    if (!scan_.accept("(")) {
      function.result_types = {read_type(scan_)};
      function.results = {Attributes{}};
      return;
    }
    while (!scan_.accept(")")) {
      function.result_types.push_back(read_type(scan_));
      function.results.push_back(scan_.peek() == '{' ? reader_.dictionary() : Attributes{});
      reader_.location();
      if (!scan_.accept(",") && scan_.peek() != ')') scan_.refuse("the results do not end");
    }
  }

  Module& module_;
  Scanner scan_;
  OperationReader reader_;
};

}  // namespace

std::string_view Attributes::find(std::string_view key) const {
  for (const auto& [name, value] : rows_) {
    if (name == key) return value;
  }
  return {};
}

void Attributes::set(std::string_view key, std::string_view value) {
  const auto row =
      std::ranges::find(rows_, key, &std::pair<std::string_view, std::string_view>::first);
  row == rows_.end() ? add(key, value) : void(row->second = value);
}

const Function* Module::find(std::string_view function) const {
  return find_row(functions, function, &Function::name);
}

void refuse(const Module& module, const Operation& operation, std::string_view what) {
  if (what.starts_with(module.file)) throw Error(std::string(what));
  throw Error(fmt::format("{} line {}: {}: {}", module.file, operation.line, operation.name, what));
}

Module parse(std::string text, std::string file, std::int64_t rows) {
  Module module{.file = std::move(file),
                .text = std::make_shared<const std::string>(std::move(text))};
  if (Parser(module, rows).run()) {
    module.open_rows = rows;
    close_batch(module, rows);
  }
  return module;
}

}  // namespace tpulab::stablehlo
