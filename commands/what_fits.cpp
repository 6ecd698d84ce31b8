#include "commands/what_fits.h"

#include <fmt/format.h>

#include <vector>

#include "commands/words.h"
#include "engine/session/settings/dividing.h"

namespace tpulab {

namespace {

constexpr std::string_view would_fit = "What would fit";

std::string with_lines(std::string text, std::string_view head, const std::vector<WayToFit>& ways,
                       std::string_view verb, std::span<const Assignment> typed) {
  for (const WayToFit& way : ways) {
    text += fmt::format("\n{}: {}", &way == &ways.front() ? head : "or",
                        typed_line(verb, with_later(typed, way)));
  }
  return text + note_on(ways);
}

}  // namespace

std::string typed_line(std::string_view verb, std::span<const Assignment> typed) {
  std::string line(verb);
  for (const auto& [name, value] : typed) {
    line += fmt::format(" {}={}", name, in_quotes_if_needed(unquoted(value)));
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
