// Which branch runs is known only at run time; the one that takes longest is priced.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/compiler/compile.h"
#include "engine/formats/branch_time.h"
#include "engine/formats/stablehlo/graph_builder.h"

namespace tpulab::stablehlo {

namespace {

double about_seconds(const Segment& segment) {
  double sum = 0;
  for (const Placed& part : segment.placed) {
    const Operand array{part.type.shape, part.type.dtype};
    sum += tpulab::about_seconds({.items = {}, .reads = {array}, .writes = {array}});
  }
  if (!segment.outputs.empty()) {
    std::vector<NodeId> outputs(segment.outputs.begin(), segment.outputs.end());
    std::vector<BufferId> overwrites(outputs.size(), -1);
    const auto program =
        compile(make_cut(*segment.graph, std::move(outputs), std::move(overwrites), {}, 1),
                {.again = {.dear = true}});
    for (const Kernel& kernel : program->kernels) {
      sum += tpulab::about_seconds(kernel.work) * kernel.launches;
    }
  }
  return sum * static_cast<double>(segment.repeats);
}

bool returns_at_once(const Region& region) {
  return region.operations.empty() || is_return(region.operations.front().name);
}

void note_names(const Region& region, std::set<std::string_view>& names) {
  for (const Operation& one : region.operations) {
    for (const Use& use : one.operands) names.insert(use.name);
    for (const Region& inner : one.regions) note_names(inner, names);
  }
}

}  // namespace

GraphBuilder::GraphBuilder(const GraphBuilder& outside, ImportNotes& notes)
    : module_(outside.module_),
      lines_(outside.lines_),
      notes_(notes),
      longest_(outside.longest_),
      depth_(outside.depth_),
      loops_(outside.loops_) {}

// As if all that a branch reads lay in memory.
GraphBuilder::Scopes GraphBuilder::with_values_of_its_own(const Region& region,
                                                          const Scopes& scopes) {
  std::set<std::string_view> names;
  note_names(region, names);
  Scopes own(module_);
  for (const std::string_view name : names) {
    const std::vector<Value>* const outside = scopes.visible(name);
    if (outside == nullptr) continue;
    std::vector<Value> values;
    for (const Value& one : *outside) {
      values.push_back(fresh(one.type, -1, true));
      values.back().known = one.known;
      values.back().counter = one.counter;
      values.back().comparison = one.comparison;
    }
    own.set(name, std::move(values));
  }
  return own;
}

// Nothing where it is not read.
std::optional<double> GraphBuilder::seconds_of(const Region& region, const Scopes& scopes) const {
  ImportNotes told_elsewhere;
  GraphBuilder alone(*this, told_elsewhere);
  alone.begin_segment("branch");
  try {
    Scopes own = alone.with_values_of_its_own(region, scopes);
    std::vector<Value> results = alone.run(region, {}, own);
    for (Value& one : results) alone.leave(one);
  } catch (const Error&) {
    return std::nullopt;
  }
  double sum = 0;
  for (const Segment& one : alone.segments_.list) sum += about_seconds(one);
  return sum;
}

// Asked once of each operation, however often loops and calls come by.
const GraphBuilder::Longest& GraphBuilder::longest(const Operation& operation,
                                                   const Scopes& scopes) {
  const auto [known, fresh] = longest_->try_emplace(&operation);
  Longest& longest = known->second;
  if (!fresh) return longest;
  // Where none is read, what the one with most operations lacks is told.
  longest.region = &*std::ranges::max_element(
      operation.regions, {}, [](const Region& one) { return one.operations.size(); });
  const auto works = std::ranges::count_if(operation.regions,
                                           [](const Region& one) { return !returns_at_once(one); });
  if (works < 2) return longest;
  double most = -1;
  for (const Region& one : operation.regions) {
    const std::optional<double> seconds = seconds_of(one, scopes);
    if (!seconds) ++longest.not_read;
    if (!seconds || *seconds <= most) continue;
    most = *seconds;
    longest.region = &one;
  }
  return longest;
}

// A program of its own, as a loop's body is: nothing is fused with what lies before or behind it.
std::vector<Value> GraphBuilder::branch(const Operation& operation, Scopes& scopes) {
  const Longest& chosen = longest(operation, scopes);
  notes_.add("branches of which the longest is priced");
  for (std::int64_t i = 0; i < chosen.not_read; ++i) {
    notes_.add("branches that are not read, taken to be shorter than the others");
  }
  const std::string name = here().name;
  begin_segment(fmt::format("branch of line {}", operation.line));
  std::vector<Value> results = run(*chosen.region, {}, scopes);
  for (Value& one : results) leave(one);
  begin_segment(name);
  return results;
}

}  // namespace tpulab::stablehlo
