#include "engine/formats/stablehlo/sums_behind_loops.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/lower.h"
#include "engine/formats/stablehlo/types.h"

namespace tpulab::stablehlo {

namespace {

bool has_values(const Operation& one, std::size_t operands) {
  return one.operands.size() == operands && one.results.size() == 1;
}

// Also along axes of one.
bool changes_form(const Operation& one) {
  const std::string_view name = without_dialect(one.name);
  if (name == "convert" || name == "reshape" || name == "transpose") return has_values(one, 1);
  const bool some =
      name == "broadcast_in_dim" ? has_values(one, 1) : name == "reduce" && has_values(one, 2);
  return some && !one.operand_types.empty() &&
         one.operand_types[0].shape.elements() == one.result_types[0].shape.elements();
}

bool adds(const Operation& one) { return has_values(one, 2) && without_dialect(one.name) == "add"; }

bool sums_over_devices(const Operation& one) {
  return without_dialect(one.name) == "all_reduce" && has_values(one, 1) &&
         folding_function(one) == "add";
}

class LoopBody {
 public:
  explicit LoopBody(Operation& loop) : condition_(loop.regions[0]), body_(loop.regions[1]) {
    for (Operation& one : body_.operations) {
      for (const Definition& made : one.results) makers_[made.name] = &one;
    }
    read(body_, readers_);
    read(condition_, asked_);
  }

  // What a turn adds to argument `index`, which none else reads, and hands on: a sum that none else
  // reads either. As XLA's WhileLoopAllReduceCodeMotion has it [TPU compiler]: not what is divided
  // before it is added, nor two sums together.
  const Operation* added_to(std::size_t index) const {
    if (asked_.contains(condition_.arguments[index].name)) return nullptr;
    const Operation& last = body_.operations.back();
    const End carried = end_of(body_.arguments[index].name);
    if (carried.reader == nullptr || !adds(*carried.reader)) return nullptr;
    const Operation& add = *carried.reader;
    const End left = end_of(add.results[0].name);
    if (left.reader != &last || last.operands[index].name != left.name) return nullptr;
    const bool first = add.operands[0].name == carried.name;
    std::string_view added = add.operands[first ? 1 : 0].name;
    while (read_once(added)) {
      const auto maker = makers_.find(added);
      if (maker == makers_.end()) return nullptr;
      if (sums_over_devices(*maker->second)) return maker->second;
      if (!changes_form(*maker->second)) return nullptr;
      added = maker->second->operands[0].name;
    }
    return nullptr;
  }

  // Who reads it takes the device's own in its place.
  void take_away(const std::set<std::string_view>& sums) {
    for (const std::string_view sum : sums) {
      for (Use& use : readers_.at(sum).front()->operands) {
        if (use.name == sum) use = makers_.at(sum)->operands[0];
      }
    }
    std::erase_if(body_.operations, [&](const Operation& one) {
      return !one.results.empty() && sums.contains(one.results[0].name);
    });
  }

 private:
  using Readers = std::map<std::string_view, std::vector<Operation*>>;

  static void read(Region& region, Readers& readers) {
    for (Operation& one : region.operations) {
      for (const Use& use : one.operands) readers[use.name].push_back(&one);
      for (Region& inner : one.regions) read(inner, readers);
    }
  }

  bool read_once(std::string_view name) const {
    const auto found = readers_.find(name);
    return found != readers_.end() && found->second.size() == 1;
  }

  // Who reads a value in the end, under another form and name; nobody where several do.
  struct End {
    const Operation* reader = nullptr;
    std::string_view name{};
  };
  End end_of(std::string_view name) const {
    while (read_once(name)) {
      const Operation* const reader = readers_.at(name).front();
      const bool other_form = changes_form(*reader) && reader->operands[0].name == name;
      if (!other_form) return {reader, name};
      name = reader->results[0].name;
    }
    return {};
  }

  Region& condition_;
  Region& body_;
  std::map<std::string_view, Operation*> makers_;
  Readers readers_;  // in the body
  Readers asked_;    // .. in the condition
};

class Sinker {
 public:
  explicit Sinker(Module& module) : module_(module) {}

  void run(Region& region) {
    std::vector<Operation> made;
    for (Operation& one : region.operations) {
      note_zeros(one);
      for (Region& inner : one.regions) run(inner);
      std::vector<Operation> behind;
      if (is_loop(one)) behind = sunk(one, made);
      made.push_back(std::move(one));
      std::ranges::move(behind, std::back_inserter(made));
    }
    region.operations = std::move(made);
  }

 private:
  void note_zeros(const Operation& one) {
    if (one.results.size() != 1) return;
    const std::string_view name = without_dialect(one.name);
    const bool zero =
        name == "constant"
            ? splat_value(literal_of(one), one.result_types[0].element) == 0
            : (changes_form(one) || (name == "broadcast_in_dim" && has_values(one, 1))) &&
                  is_zero(one.operands[0]);
    if (zero) zeros_.insert(one.results[0].name);
  }
  bool is_zero(const Use& use) const { return zeros_.contains(use.name); }

  // What stands behind `loop` now; what it needs in front of it goes to the end of `before`.
  std::vector<Operation> sunk(Operation& loop, std::vector<Operation>& before) {
    LoopBody body(loop);
    std::vector<Operation> behind;
    std::set<std::string_view> sums;
    for (std::size_t i = 0; i < loop.operands.size(); ++i) {
      const Operation* const sum = body.added_to(i);
      if (sum == nullptr) continue;
      sums.insert(sum->results[0].name);
      sum_up(loop, i, *sum, before, behind);
    }
    body.take_away(sums);
    return behind;
  }

  void sum_up(Operation& loop, std::size_t index, const Operation& sum,
              std::vector<Operation>& before, std::vector<Operation>& behind) {
    const TensorType type = loop.result_types[index];
    TensorType summed = type;
    summed.element = sum.result_types[0].element;
    const std::string_view left = loop.results[index].name;
    const Use start = loop.operands[index];
    const bool from_zero = is_zero(start);
    Use now{fresh(), 0};
    loop.results[index].name = now.name;
    Operation move{.name = "stablehlo.convert", .line = sum.line};
    move.location = sum.location;
    const auto add = [&](Operation made, const TensorType& from, const TensorType& to, bool last) {
      made.operands = {now};
      made.operand_types = {from};
      made.result_types = {to};
      now = {last ? left : fresh(), 0};
      made.results = {{.name = now.name}};
      behind.push_back(std::move(made));
    };
    const bool converts = summed.element != type.element;
    if (converts) add(move, type, summed, false);
    add(sum, summed, summed, from_zero && !converts);
    if (converts) add(move, summed, type, from_zero);
    if (from_zero) return;
    move.name = "stablehlo.add";
    add(move, type, type, true);
    behind.back().operands.push_back(start);
    behind.back().operand_types.push_back(type);
    loop.operands[index] = zeros(type, loop, before);
  }

  Use zeros(const TensorType& type, const Operation& loop, std::vector<Operation>& before) {
    Operation made{.name = "stablehlo.constant", .line = loop.line, .lists = {"dense<0>"}};
    made.results = {{.name = fresh()}};
    made.result_types = {type};
    before.push_back(std::move(made));
    return {before.back().results[0].name, 0};
  }

  std::string_view fresh() {
    return module_.written.emplace_back(fmt::format("sunk{}", module_.written.size()));
  }

  Module& module_;
  std::set<std::string_view> zeros_;  // names
};

}  // namespace

void sum_behind_loops(Module& module, Region& region) { Sinker(module).run(region); }

}  // namespace tpulab::stablehlo
