#include "engine/formats/hlo/result_origins.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace tpulab::hlo {

namespace {

constexpr int farthest = 1000;

// An element of what an instruction makes.
struct Element {
  const Computation* in = nullptr;
  const Instruction* one = nullptr;
  std::size_t element = 0;
};

bool passes_on(std::string_view opcode) {
  constexpr std::array<std::string_view, 7> words{"bitcast",   "copy",    "copy-start", "copy-done",
                                                  "transpose", "reshape", "opt-barrier"};
  return std::ranges::find(words, opcode) != words.end();
}

bool is_number(const Instruction& one) {
  return one.type.arrays.size() == 1 && one.type.arrays[0].elements() == 1;
}

std::optional<Element> operand_of(const Element& at, std::size_t index, std::size_t element) {
  if (index >= at.one->operands.size()) return std::nullopt;
  return Element{at.in, at.in->find(at.one->operands[index]), element};
}

// What it takes from an instruction beside it; nothing where it makes that itself.
std::optional<Element> beside(const Element& at) {
  if (at.one->opcode == "tuple") return operand_of(at, at.element, 0);
  if (passes_on(at.one->opcode)) return operand_of(at, 0, at.element);
  if (at.one->opcode != "get-tuple-element") return std::nullopt;
  const std::int64_t index = std::max<std::int64_t>(first_number(at.one->find("index"), 0), 0);
  return operand_of(at, 0, static_cast<std::size_t>(index));
}

// Where the computation that it calls makes it.
std::optional<Element> inside(const Module& module, const Element& at) {
  for (const char* key : {"body", "calls", "to_apply"}) {
    const bool own =
        at.one->opcode == "while" || at.one->opcode == "fusion" || at.one->opcode == "call";
    if (!own || at.one->called(key).empty()) continue;
    const Computation& called = module.computation(at.one->called(key), *at.one);
    return Element{&called, called.root(), at.element};
  }
  return std::nullopt;
}

// Whether a parameter of its computation is handed on to it, by loops or as it is; adds the lines
// of the loops whose turns change it.
bool is_carried(const Module& module, Element at, std::set<int>& loops, int depth = 0) {
  constexpr int deepest = 64;
  for (int step = 0; step < farthest && at.one != nullptr && depth < deepest; ++step) {
    auto next = beside(at);
    if (at.one->opcode == "while") {
      const Computation& body = module.computation(at.one->called("body"), *at.one);
      std::set<int> inside;
      const bool same = is_carried(module, {&body, body.root(), at.element}, inside, depth + 1);
      if (!same || !inside.empty()) loops.insert(at.one->line);
      if (same) loops.merge(inside);
      next = operand_of(at, 0, at.element);
    }
    if (!next) break;
    at = *next;
  }
  return at.one != nullptr && at.one->opcode == "parameter";
}

}  // namespace

ResultOrigin origin_of(const Module& module, const Computation& entry, std::size_t result) {
  ResultOrigin origin;
  std::vector<Element> callers;
  bool stacked = false;
  Element at{&entry, entry.root(), result};
  const bool carried = is_carried(module, at, origin.loops);
  if (!carried) origin.loops.clear();
  for (int step = 0; step < farthest && at.one != nullptr; ++step) {
    // What each turn leaves lies below what the one before left.
    const bool in_turns =
        std::ranges::any_of(callers, [](const Element& one) { return one.one->opcode == "while"; });
    const bool stacks =
        at.one->opcode == "dynamic-update-slice" && in_turns && !carried && !stacked;
    std::optional<Element> next = stacks ? operand_of(at, 1, 0) : beside(at);
    if (stacks) {
      stacked = true;
      origin.one_by_one = next && next->one != nullptr && is_number(*next->one);
    } else if (at.one->opcode == "parameter") {
      if (callers.empty() || callers.back().one->opcode == "while") break;
      const std::int64_t number =
          at.one->operands.empty() ? -1 : first_number(at.one->operands[0], -1);
      next = operand_of(callers.back(), static_cast<std::size_t>(number), 0);
      callers.pop_back();
    } else if (!next) {
      next = inside(module, at);
      if (next) callers.push_back(at);
    }
    if (!next) break;
    at = *next;
  }
  origin.made = at.one;
  return origin;
}

bool is_update(const ResultOrigin& origin) {
  return origin.made != nullptr && origin.made->opcode != "dynamic-update-slice" &&
         origin.made->opcode != "parameter";
}

}  // namespace tpulab::hlo
