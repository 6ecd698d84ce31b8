#include "engine/advice/script_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/advice/lowered.h"
#include "engine/advice/script_calls.h"
#include "engine/advice/script_graphs.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::size_t most_evidence = 5;

// The calls of one role, from the same place as one.
class Groups {
 public:
  void add(const ScriptCall& call, std::int64_t step) {
    const auto [place, fresh] = places_.try_emplace({call.name, call.at}, groups_.size());
    if (fresh) {
      groups_.push_back({.name = call.name, .at = call.at, .values = values_text(call)});
      newest_.push_back(-1);
    }
    CallGroup& group = groups_[place->second];
    ++group.calls;
    if (std::exchange(newest_[place->second], step) != step) ++group.steps;
  }

  std::vector<CallGroup> most_first() && {
    std::ranges::stable_sort(groups_, std::greater<>{}, &CallGroup::calls);
    return std::move(groups_);
  }

 private:
  std::map<std::pair<std::string, std::string>, std::size_t> places_;
  std::vector<CallGroup> groups_;
  std::vector<std::int64_t> newest_;  // step of each
};

// torch.tensor(...).to(device) is one upload, though it is two calls.
void join_made_and_sent(std::vector<CallGroup>& uploads) {
  const auto is_made = [](const CallGroup& one) { return one.name == "aten::lift_fresh"; };
  std::set<std::string> sent_at;
  for (const CallGroup& one : uploads) {
    if (!is_made(one) && !one.at.empty()) sent_at.insert(one.at);
  }
  std::erase_if(uploads,
                [&](const CallGroup& one) { return is_made(one) && sent_at.contains(one.at); });
}

std::string instead_of(const std::string& name) {
  return lowered_alternative(name == "aten::index.Tensor" ? "aten::masked_select" : name);
}

}  // namespace

std::string CallGroup::text() const {
  return at.empty() ? name : fmt::format("{} at {}", name, at);
}

ScriptFacts facts_of(const ScriptSteps& script) {
  std::vector<CallRole> roles;
  for (const ScriptCall& call : script.calls) roles.push_back(role_of(call, script.device));
  std::map<CallRole, Groups> groups;
  for (std::size_t step = 0; step < script.steps.size(); ++step) {
    for (const std::int32_t number : script.steps[step]) {
      const auto at = static_cast<std::size_t>(number);
      if (roles[at] == CallRole::traced || roles[at] == CallRole::beside) continue;
      groups[roles[at]].add(script.calls[at], static_cast<std::int64_t>(step));
    }
  }
  ScriptFacts facts{.steps = std::ssize(script.steps),
                    .on_cpu = is_cpu(script.device),
                    .reads = std::move(groups[CallRole::read]).most_first(),
                    .downloads = std::move(groups[CallRole::download]).most_first(),
                    .fallbacks = std::move(groups[CallRole::fallback]).most_first(),
                    .dynamic = std::move(groups[CallRole::dynamic]).most_first(),
                    .uploads = std::move(groups[CallRole::upload]).most_first(),
                    .graphs = graphs_of(script, roles)};
  join_made_and_sent(facts.uploads);
  if (facts.graphs.empty()) return facts;
  const auto& usual = script.steps[static_cast<std::size_t>(facts.graphs.front().first)];
  for (const std::int32_t number : usual) {
    const CallRole role = roles[static_cast<std::size_t>(number)];
    if (role != CallRole::beside) ++facts.calls;
    if (is_cut(role)) ++facts.cuts;
  }
  return facts;
}

std::vector<std::string> evidence_of(const std::vector<CallGroup>& groups, std::int64_t steps,
                                     Instead instead) {
  std::vector<std::string> lines;
  for (const CallGroup& group : groups) {
    if (lines.size() == most_evidence) {
      lines.push_back(
          fmt::format("and {}", count_with(std::ssize(groups) - std::ssize(lines), "more place")));
      break;
    }
    std::string& line = lines.emplace_back(fmt::format(
        "{}: {} in {}", group.text(), count_with(group.calls, "time"), count_with(steps, "step")));
    if (!group.values.empty()) line += ", the first of " + group.values;
    if (instead == Instead::told) line += "; instead: " + instead_of(group.name);
  }
  return lines;
}

double share_of_steps(const std::vector<CallGroup>& groups, std::int64_t steps) {
  std::int64_t most = 0;
  for (const CallGroup& group : groups) most = std::max(most, group.steps);
  return steps > 0 ? static_cast<double>(most) / static_cast<double>(steps) : 0;
}

}  // namespace tpulab
