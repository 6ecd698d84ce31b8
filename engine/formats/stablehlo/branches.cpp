// Which branch runs is known only at run time; the one that takes longest is priced.
#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

double GraphBuilder::seconds_since(int first) const {
  double sum = 0;
  for (int i = first; i <= position(); ++i) {
    sum += about_seconds(segments_.list[static_cast<std::size_t>(i)]);
  }
  return sum;
}

// A program of its own, as a loop's body is: nothing is fused with what lies before or behind it.
std::vector<Value> GraphBuilder::one_branch(const Operation& operation, const Region& region,
                                            Scopes& scopes) {
  const std::string name = here().name;
  begin_segment(fmt::format("branch of line {}", operation.line));
  std::vector<Value> results = run(region, {}, scopes);
  for (Value& one : results) leave(one);
  begin_segment(name);
  return results;
}

// Each is built where this one stands, and taken back if another takes longer. Graphs of earlier
// segments do not change any more, so that what was built before is kept by copying what names
// them.
std::vector<Value> GraphBuilder::branch(const Operation& operation, Scopes& scopes) {
  notes_.add("branches of which the longest is priced");
  std::vector<const Region*> works;
  for (const Region& one : operation.regions) {
    if (!returns_at_once(one)) works.push_back(&one);
  }
  if (works.empty()) works.push_back(&operation.regions.front());
  // The one with most operations comes last, as nothing is built again if it is the longest.
  std::ranges::stable_sort(works, {}, [](const Region* one) { return one->operations.size(); });
  if (works.size() == 1) return one_branch(operation, *works.front(), scopes);
  const Built before = built();
  const int first = position() + 1;
  const Region* longest = nullptr;
  double most = -1;
  std::vector<Value> results;
  for (const Region* one : works) {
    go_back_to(before);
    results = one_branch(operation, *one, scopes);
    const double seconds = seconds_since(first);
    if (seconds < most) continue;
    most = seconds;
    longest = one;
  }
  if (longest == works.back()) return results;
  go_back_to(before);
  return one_branch(operation, *longest, scopes);
}

GraphBuilder::Built GraphBuilder::built() const {
  return {.segments = segments_, .sources = sources_, .notes = notes_, .steps = steps_};
}

void GraphBuilder::go_back_to(const Built& before) {
  segments_ = before.segments;
  sources_ = before.sources;
  notes_ = before.notes;
  steps_ = before.steps;
}

}  // namespace tpulab::stablehlo
