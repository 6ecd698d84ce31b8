#include "engine/advice/script_graphs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace tpulab {

namespace {

using Sequence = std::vector<std::int32_t>;

std::size_t index_of(std::int32_t number) { return static_cast<std::size_t>(number); }

// Calls that are the same to the compiler, wherever in the script they stand, get the number of the
// first of them.
Sequence same_to_the_compiler(const ScriptSteps& script) {
  std::map<std::string, std::int32_t> first;
  Sequence same;
  for (const ScriptCall& call : script.calls) {
    std::string key = call.name;
    for (const ScriptTensor& one : call.tensors) {
      key += fmt::format("|{}[{}]", one.dtype, fmt::join(one.shape, ","));
    }
    if (numbers_are_compiled(call)) key += fmt::format("({})", fmt::join(call.ints, ","));
    same.push_back(first.try_emplace(key, static_cast<std::int32_t>(same.size())).first->second);
  }
  return same;
}

struct Steps {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

bool is_first_extent_alone_smaller(const ScriptCall& one, const ScriptCall& usual) {
  for (std::size_t i = 0; i < one.tensors.size(); ++i) {
    const std::vector<std::int64_t>& shape = one.tensors[i].shape;
    const std::vector<std::int64_t>& other = usual.tensors[i].shape;
    if (shape == other) continue;
    return !shape.empty() && shape.size() == other.size() && shape[0] < other[0] &&
           std::equal(shape.begin() + 1, shape.end(), other.begin() + 1);
  }
  return false;
}

class Comparison {
 public:
  Comparison(const ScriptSteps& script, const Sequence& usual) : script_(script), usual_(usual) {}

  // Against most steps.
  ScriptGraph of(const Sequence& one, const Steps& steps) const {
    ScriptGraph graph{.first = steps.first, .steps = steps.count};
    if (one == usual_) return graph;
    const auto [mine, theirs] = std::ranges::mismatch(one, usual_);
    if (!same_names(one)) {
      graph.kind = steps.count == 1 && steps.first == 0 ? GraphKind::start : GraphKind::calls;
    } else {
      graph.kind = kind_of(call(*mine), call(*theirs));
    }
    const ScriptCall* a = mine == one.end() ? nullptr : &call(*mine);
    const ScriptCall* b = theirs == usual_.end() ? nullptr : &call(*theirs);
    graph.by_optimizer = a != nullptr && a->by_optimizer;
    graph.difference = difference(a, b);
    return graph;
  }

 private:
  const ScriptCall& call(std::int32_t number) const { return script_.calls[index_of(number)]; }

  bool same_names(const Sequence& one) const {
    return std::ranges::equal(one, usual_, [&](std::int32_t a, std::int32_t b) {
      return call(a).name == call(b).name && call(a).tensors.size() == call(b).tensors.size();
    });
  }

  static GraphKind kind_of(const ScriptCall& one, const ScriptCall& usual) {
    if (is_first_extent_alone_smaller(one, usual)) return GraphKind::shorter_batch;
    const bool same_shapes = std::ranges::equal(one.tensors, usual.tensors, {},
                                                &ScriptTensor::shape, &ScriptTensor::shape);
    return same_shapes && one.ints != usual.ints ? GraphKind::numbers : GraphKind::shapes;
  }

  static std::string text_of_call(const ScriptCall& call, bool with_ints) {
    std::string text = call.name;
    if (!call.tensors.empty()) text += " " + values_text(call);
    if (with_ints) text += fmt::format(" ({})", fmt::join(call.ints, ","));
    return text;
  }

  static std::string difference(const ScriptCall* one, const ScriptCall* usual) {
    if (one == nullptr) return fmt::format("{} does not come", usual->name);
    const std::string at = one->at.empty() ? "" : " at " + one->at;
    if (usual == nullptr) return fmt::format("{}{} comes as well", one->name, at);
    const bool ints = numbers_are_compiled(*one) && one->ints != usual->ints;
    return fmt::format(
        "{}{} instead of {}", text_of_call(*one, ints), at,
        one->name == usual->name && !ints ? values_text(*usual) : text_of_call(*usual, ints));
  }

  const ScriptSteps& script_;
  const Sequence& usual_;
};

}  // namespace

std::vector<ScriptGraph> graphs_of(const ScriptSteps& script, std::span<const CallRole> roles) {
  const Sequence same = same_to_the_compiler(script);
  std::map<Sequence, Steps> graphs;
  for (std::size_t step = 0; step < script.steps.size(); ++step) {
    Sequence sequence;
    for (const std::int32_t number : script.steps[step]) {
      if (roles[index_of(number)] != CallRole::beside) sequence.push_back(same[index_of(number)]);
    }
    Steps& steps = graphs.try_emplace(std::move(sequence), Steps{static_cast<std::int64_t>(step)})
                       .first->second;
    ++steps.count;
  }
  std::vector<ScriptGraph> all;
  if (graphs.empty()) return all;
  // Of equally many the later one: the first step is the one that differs.
  const auto usual = std::ranges::max_element(
      graphs, {}, [](const auto& one) { return std::pair(one.second.count, one.second.first); });
  const Comparison comparison(script, usual->first);
  for (const auto& [sequence, steps] : graphs) all.push_back(comparison.of(sequence, steps));
  std::ranges::sort(all, {}, [](const ScriptGraph& one) {
    return std::pair(one.kind != GraphKind::usual, one.first);
  });
  return all;
}

}  // namespace tpulab
