#include "commands/what_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "commands/words.h"
#include "engine/session/settings/dividing.h"

namespace tpulab {

namespace {

constexpr std::string_view would_fit = "What would fit";

// batch and batch.global say the same.
bool is_said_by(const Assignment& one, const Assignment& change) {
  const SettingRow& row = setting_named(one.name);
  return &row == &setting_named(change.name) || (is_derived(row) && change.name == "batch");
}

std::vector<Assignment> with_changes_typed(std::span<const Assignment> typed,
                                           const std::vector<Assignment>& changes) {
  std::vector<Assignment> all(typed.begin(), typed.end());
  for (const Assignment& change : changes) {
    const auto said = [&](const Assignment& one) { return is_said_by(one, change); };
    const auto place = std::ranges::find_if(all, said);
    place == all.end() ? all.push_back(change) : void(*place = change);
  }
  return all;
}

std::string with_lines(std::string text, std::string_view head, const std::vector<WayToFit>& ways,
                       std::string_view verb, std::span<const Assignment> typed) {
  for (const WayToFit& way : ways) {
    text += fmt::format("\n{}: {}", &way == &ways.front() ? head : "or",
                        typed_line(verb, with_changes_typed(typed, way)));
  }
  return text + note_on(ways);
}

}  // namespace

std::string typed_line(std::string_view verb, std::span<const Assignment> typed) {
  std::string line(verb);
  for (const auto& [name, value] : typed) {
    line += fmt::format(" {}={}", name, in_quotes_if_needed(value));
  }
  return line;
}

std::string refusal_of_line(const DoesNotFit& refusal, std::string_view verb,
                            std::span<const Assignment> typed) {
  if (typed.empty() || refusal.ways().empty()) return refusal.what();
  return with_lines(refusal.needed(), would_fit, refusal.ways(), verb, typed);
}

std::string refusal_of_line(const DoesNotDivide& refusal, std::string_view verb,
                            const Settings& settings, std::span<const Assignment> typed) {
  // What is set may have its slice later: memory is asked when it runs.
  const auto found = ways_to_divide(unchecked(settings, typed), settings, verb != "set");
  if (found.ways.empty()) return refusal.what();
  return with_lines(refusal.what_happened() + ".", found.fit ? would_fit : "What would divide",
                    found.ways, verb, typed);
}

}  // namespace tpulab
