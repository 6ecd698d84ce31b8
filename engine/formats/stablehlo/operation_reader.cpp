#include "engine/formats/stablehlo/operation_reader.h"

#include <algorithm>

#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

constexpr std::int64_t most_operations = 1'000'000;
constexpr int deepest = 32;

std::size_t result_count(const Operation& operation) {
  std::size_t count = 0;
  for (const Definition& one : operation.results) count += static_cast<std::size_t>(one.count);
  return count;
}

}  // namespace

std::vector<Argument> OperationReader::arguments(std::string_view end) {
  std::vector<Argument> list;
  while (!scan_.accept(end)) {
    Argument one;
    scan_.expect("%", "before an argument");
    one.name = scan_.name();
    scan_.expect(":", "between an argument and its type");
    one.type = type();
    if (scan_.peek() == '{') one.attributes = dictionary();
    one.location = location();
    list.push_back(std::move(one));
    if (!scan_.accept(",") && scan_.peek() != end[0]) scan_.refuse("the arguments do not end");
  }
  return list;
}

TensorType OperationReader::type() { return read_type(scan_); }

Attributes OperationReader::dictionary() {
  scan_.expect("{", "before attributes");
  Attributes all;
  while (!scan_.accept("}")) {
    const std::string_view key = scan_.peek() == '"' ? scan_.quoted() : scan_.word();
    if (key.empty()) scan_.refuse("an attribute has no name");
    all.add(key, scan_.accept("=") ? scan_.value_in_dictionary() : std::string_view("unit"));
    if (!scan_.accept(",") && scan_.peek() != '}') scan_.refuse("the attributes do not end");
  }
  return all;
}

void OperationReader::add(Operation& operation, const Attributes& more) {
  for (const auto& [key, value] : more.rows()) operation.attributes.add(key, value);
}

std::string_view OperationReader::location() {
  if (!scan_.accept_word("loc")) return {};
  return scan_.balanced();
}

void OperationReader::body(Region& region, int depth) {
  if (depth > deepest) scan_.refuse("regions are nested more than 32 times");
  scan_.expect("{", "before a block");
  if (scan_.accept("^")) {
    scan_.name();
    if (scan_.accept("(")) region.arguments = arguments(")");
    scan_.expect(":", "behind the name of a block");
  }
  while (!scan_.accept("}")) {
    if (scan_.at_end()) scan_.refuse("a block does not end: a '}' is missing");
    if (scan_.peek() == '^') scan_.refuse("control flow of several blocks is not read");
    if (scan_.accept_word("func.func")) scan_.refuse("a function stands inside a block");
    region.operations.push_back(operation(depth));
  }
}

Use OperationReader::use() {
  scan_.expect("%", "before an operand");
  Use one{.name = scan_.name()};
  if (scan_.accept("#")) one.index = static_cast<int>(small_number());
  return one;
}

std::int64_t OperationReader::small_number() {
  std::int64_t number = 0;
  const std::string_view digits = scan_.name();
  for (const char c : digits) {
    if (c < '0' || c > '9' || number > 1'000'000) scan_.refuse("a whole number is missing");
    number = number * 10 + (c - '0');
  }
  return number;
}

Operation OperationReader::operation(int depth) {
  if (++operations_ > most_operations) scan_.refuse("more than 1,000,000 operations");
  Operation operation;
  scan_.peek();
  operation.line = scan_.line();
  if (scan_.peek() == '%') results(operation);
  if (scan_.peek() == '"') {
    operation.name = scan_.quoted();
    generic(operation, depth);
  } else {
    operation.name = scan_.word();
    if (operation.name.empty()) scan_.refuse("an operation is missing");
    if (operation.name == "call" || operation.name == "return") {
      operation.name = operation.name == "call" ? "func.call" : "func.return";
    }
    pretty(operation, depth);
  }
  operation.location = location();
  return operation;
}

void OperationReader::results(Operation& operation) {
  do {
    scan_.expect("%", "before a result");
    Definition one{.name = scan_.name()};
    if (scan_.accept(":")) {
      scan_.peek();
      one.count = static_cast<int>(small_number());
    }
    operation.results.push_back(one);
  } while (scan_.accept(","));
  scan_.expect("=", "behind results");
}

// "op"(%a) <{properties}> ({regions}) {attributes} : (types) -> types
void OperationReader::generic(Operation& operation, int depth) {
  scan_.expect("(", "before operands");
  while (!scan_.accept(")")) {
    operation.operands.push_back(use());
    if (!scan_.accept(",") && scan_.peek() != ')') scan_.refuse("the operands do not end");
  }
  if (scan_.peek() == '[') scan_.refuse("control flow of several blocks is not read");
  if (scan_.accept("<")) {
    add(operation, dictionary());
    scan_.expect(">", "behind properties");
  }
  if (scan_.accept("(")) {
    do {
      body(operation.regions.emplace_back(), depth + 1);
    } while (scan_.accept(","));
    scan_.expect(")", "behind regions");
  }
  if (scan_.peek() == '{') add(operation, dictionary());
  scan_.expect(":", "before the types of an operation");
  types(operation);
}

void OperationReader::pretty(Operation& operation, int depth) {
  std::vector<Argument> pending;  // of the region that follows
  while (part(operation, pending, depth)) {
  }
  if (scan_.accept(":")) {
    types(operation);
    tail(operation, pending, depth);
  }
}

// One word, operand, list ... of an operation in its pretty form; false at its end.
bool OperationReader::part(Operation& operation, std::vector<Argument>& pending, int depth) {
  if (scan_.at_word("loc")) return false;  // of `return` without values
  switch (scan_.peek()) {
    case 0:
    case ':':
    case '}':
      return false;
    case ',':
      return scan_.accept(",");
    case '%':
      operation.operands.push_back(use());
      return true;
    case '(':
      group(operation, pending);
      return true;
    case '{':
      if (operation.name == "sdy.manual_computation") {
        region(operation, pending, depth);
      } else {
        add(operation, dictionary());
      }
      return true;
    case '@':
      scan_.accept("@");
      operation.symbol = scan_.name();
      return true;
    case '"':
      operation.words.push_back(scan_.quoted());
      return true;
    case '=':  // sdy.mesh @mesh = <["x"=2]>
      scan_.accept("=");
      operation.lists.push_back(scan_.value());
      if (scan_.peek() == '{') add(operation, dictionary());
      return false;
    case '[':
    case '<':
    case '#':
      operation.lists.push_back(scan_.value());
      return true;
    default:
      return word_or_attribute(operation);
  }
}

bool OperationReader::word_or_attribute(Operation& operation) {
  const std::string_view word = scan_.value();
  if (scan_.accept("=")) {
    operation.attributes.add(word, scan_.value());
  } else if (word.find('<') != std::string_view::npos) {
    operation.lists.push_back(word);
  } else {
    operation.words.push_back(word);
  }
  return true;
}

// (%a, %b), (%a init: %b), (%iterArg = %a), (%a: type), (%a, k = 8)
void OperationReader::group(Operation& operation, std::vector<Argument>& pending) {
  scan_.expect("(", "before operands");
  while (!scan_.accept(")")) {
    if (scan_.accept(",")) continue;
    if (scan_.peek() == '%') {
      const Use first = use();
      if (scan_.accept("=")) {
        pending.push_back({.name = first.name});
        operation.operands.push_back(use());
      } else if (scan_.accept(":")) {
        pending.push_back({.name = first.name, .type = type()});
        location();
      } else {
        operation.operands.push_back(first);
      }
      continue;
    }
    const std::string_view word = scan_.word();
    if (word.empty()) scan_.refuse("an operand is missing");
    if (scan_.accept("=")) {
      operation.attributes.add(word, scan_.value());
    } else {
      scan_.expect(":", "behind a word between operands");
    }
  }
}

void OperationReader::region(Operation& operation, const std::vector<Argument>& arguments,
                             int depth) {
  Region& fresh = operation.regions.emplace_back();
  fresh.arguments = arguments;
  body(fresh, depth + 1);
}

// What may stand behind the types: the regions of reduce and while, more attributes.
void OperationReader::tail(Operation& operation, std::vector<Argument>& pending, int depth) {
  if (scan_.accept_word("attributes")) add(operation, dictionary());
  if (operation.name == "stablehlo.while") {
    for (std::size_t i = 0; i < std::min(pending.size(), operation.result_types.size()); ++i) {
      pending[i].type = operation.result_types[i];
    }
    scan_.expect("cond", "in a while");
    region(operation, pending, depth);
    scan_.expect("do", "in a while");
    region(operation, pending, depth);
  } else if (operation.name == "stablehlo.reduce" && scan_.accept_word("reducer")) {
    pending.clear();
    while (scan_.peek() == '(') {
      scan_.expect("(", "before the arguments of a reducer");
      for (Argument& one : arguments(")")) pending.push_back(std::move(one));
    }
    region(operation, pending, depth);
  }
}

std::vector<TensorType> OperationReader::type_list() {
  std::vector<TensorType> list;
  if (scan_.accept("(")) {
    while (!scan_.accept(")")) {
      list.push_back(type());
      if (!scan_.accept(",") && scan_.peek() != ')') scan_.refuse("the types do not end");
    }
    return list;
  }
  do {
    list.push_back(type());
  } while (scan_.accept(","));
  return list;
}

// `: t` says the type of all; `: t, u` those of the operands, the last one also the result's.
void OperationReader::types(Operation& operation) {
  operation.operand_types = type_list();
  if (scan_.accept("->")) {
    operation.result_types = type_list();
    return;
  }
  const std::vector<TensorType>& all = operation.operand_types;
  const std::size_t results = result_count(operation);
  if (results == all.size()) {
    operation.result_types = all;
  } else if (results > 0 && !all.empty()) {
    operation.result_types.assign(1, all.back());
  }
}

}  // namespace tpulab::stablehlo
