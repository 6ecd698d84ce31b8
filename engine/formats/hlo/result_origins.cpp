#include "engine/formats/hlo/result_origins.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "engine/formats/step_arguments.h"

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

// In the computations that it calls, as branches each.
std::vector<Element> insides(const Module& module, const Element& at) {
  std::vector<Element> made;
  const auto add = [&](std::string_view name) {
    const Computation& called = module.computation(name, *at.one);
    made.push_back({&called, called.root(), at.element});
  };
  for (const std::string_view name : branches_of(*at.one)) add(name);
  const bool calls =
      at.one->opcode == "while" || at.one->opcode == "fusion" || at.one->opcode == "call";
  for (const char* key : {"body", "calls", "to_apply"}) {
    if (calls && made.empty() && !at.one->called(key).empty()) add(at.one->called(key));
  }
  return made;
}

// An instruction whose computation is looked into, and which operand its parameters begin with.
struct Caller {
  Element at{};
  std::size_t first = 0;
};

// Parts of it are written, if anything: of a cache.
bool writes_parts(const Module& module, const Instruction& one) {
  constexpr std::array<std::string_view, 4> words{"parameter", "dynamic-update-slice", "broadcast",
                                                  "constant"};
  if (one.opcode == "scatter" && !one.called("to_apply").empty()) {
    const Instruction* const root = module.computation(one.called("to_apply"), one).root();
    return root == nullptr || !is_arithmetic(root->opcode);
  }
  return std::ranges::find(words, one.opcode) != words.end();
}

// Whether a parameter of its computation is handed on to it, by loops or as it is; adds the lines
// of the loops whose turns change it. `left`: steps that may be taken.
bool is_carried(const Module& module, Element at, std::set<int>& loops, int& left) {
  while (at.one != nullptr && --left >= 0) {
    auto next = beside(at);
    if (at.one->opcode == "while") {
      const Computation& body = module.computation(at.one->called("body"), *at.one);
      std::set<int> inside;
      const bool same = is_carried(module, {&body, body.root(), at.element}, inside, left);
      if (!same || !inside.empty()) loops.insert(at.one->line);
      if (same) loops.merge(inside);
      next = operand_of(at, 0, at.element);
    }
    if (!next) break;
    at = *next;
  }
  return at.one != nullptr && at.one->opcode == "parameter";
}

class Follower {
 public:
  explicit Follower(const Module& module) : module_(module) {}

  ResultOrigin of(const Element& result) && {
    int left = farthest;
    carried_ = is_carried(module_, result, origin_.loops, left);
    if (!carried_) origin_.loops.clear();
    follow(result, {}, false);
    return std::move(origin_);
  }

 private:
  // `chosen`: it, or what was there before, element by element.
  void follow(Element at, std::vector<Caller> callers, bool chosen) {
    while (at.one != nullptr && --left_ >= 0) {
      std::optional<Element> next = beside(at);
      if (stacks(at, callers)) {
        stacked_ = true;
        next = operand_of(at, 1, 0);
        origin_.one_by_one = next && next->one != nullptr && is_number(*next->one);
      } else if (at.one->opcode == "parameter") {
        next = outside(at, callers);
      } else if (at.one->opcode == "select") {
        chosen = true;
        if (const auto other = operand_of(at, 1, 0)) follow(*other, callers, chosen);
        next = operand_of(at, 2, 0);
      } else if (at.one->opcode == "convert" && chosen) {
        next = operand_of(at, 0, 0);
      } else if (!next) {
        next = into(at, callers, chosen);
      }
      if (!next) break;
      at = *next;
    }
    if (at.one == nullptr) return;
    const bool made = chosen ? is_arithmetic(at.one->opcode) : !writes_parts(module_, *at.one);
    origin_.updated |= made;
  }

  // What each turn leaves lies below what the one before left.
  bool stacks(const Element& at, const std::vector<Caller>& callers) const {
    const auto turns = [](const Caller& one) { return one.at.one->opcode == "while"; };
    return at.one->opcode == "dynamic-update-slice" && !carried_ && !stacked_ &&
           std::ranges::any_of(callers, turns);
  }

  static std::optional<Element> outside(const Element& at, std::vector<Caller>& callers) {
    if (callers.empty() || callers.back().at.one->opcode == "while") return std::nullopt;
    const std::int64_t number =
        at.one->operands.empty() ? -1 : first_number(at.one->operands[0], -1);
    const Caller caller = callers.back();
    callers.pop_back();
    if (number < 0) return std::nullopt;
    return operand_of(caller.at, caller.first + static_cast<std::size_t>(number), at.element);
  }

  std::optional<Element> into(const Element& at, std::vector<Caller>& callers, bool chosen) {
    const std::vector<Element> made = insides(module_, at);
    if (made.empty()) return std::nullopt;
    const std::size_t first = at.one->opcode == "conditional" ? 1 : 0;
    for (std::size_t i = 1; i < made.size(); ++i) {
      std::vector<Caller> other = callers;
      other.push_back({at, first + i});
      follow(made[i], std::move(other), chosen);
    }
    callers.push_back({at, first});
    return made[0];
  }

  const Module& module_;
  ResultOrigin origin_;
  bool carried_ = false;
  bool stacked_ = false;
  int left_ = farthest;
};

}  // namespace

ResultOrigin origin_of(const Module& module, const Computation& entry, std::size_t result) {
  return Follower(module).of({&entry, entry.root(), result});
}

}  // namespace tpulab::hlo
