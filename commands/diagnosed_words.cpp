#include "commands/diagnosed_words.h"

#include <fmt/format.h>

#include <map>

namespace tpulab {

namespace {

void add_found(Answer& answer, const std::string& event, std::int64_t number,
               const Diagnosed& one) {
  const Diagnosis& cause = *one.cause;
  add_line(answer, fmt::format("{}. {} ({})", number, cause.title, name_of(cause.family)));
  for (const std::string& fact : one.finding.certain) {
    add_line(answer, fmt::format("   certain: {}", fact));
  }
  add_line(answer, fmt::format("   inferred: {}", one.finding.inferred));
  add_line(answer, fmt::format("   in PyTorch: {}", cause.change));
  if (!cause.caused_by.empty()) {
    const bool runs = cause.caused_by.ends_with("; wait");
    add_line(answer, fmt::format("   a run that has it, and what cures it: {}{}; {}; run",
                                 cause.caused_by, runs ? "" : "; run; wait", cause.cured_by));
  }
  add_row(answer, event + ".found",
          {{"number", number},
           {"cause", std::string(cause.name)},
           {"title", std::string(cause.title)},
           {"inferred", one.finding.inferred},
           {"change", std::string(cause.change)}});
}

// Several causes share a reason.
void add_unknown(Answer& answer, const std::string& event, const std::vector<Diagnosed>& unknown) {
  std::map<std::string, std::string> titles;
  for (const Diagnosed& one : unknown) {
    std::string& all = titles[one.finding.inferred];
    all += fmt::format("{}{}", all.empty() ? "" : "; ", one.cause->title);
    add_row(answer, event + ".cannot_tell",
            {{"cause", std::string(one.cause->name)}, {"why", one.finding.inferred}});
  }
  for (const auto& [why, all] : titles) {
    add_line(answer, fmt::format("cannot tell ({}): {}", why, all));
  }
}

}  // namespace

void add_diagnosed(Answer& answer, const std::string& event, const std::vector<Diagnosed>& found,
                   const std::vector<Diagnosed>& cannot_tell) {
  std::int64_t number = 0;
  for (const Diagnosed& one : found) add_found(answer, event, ++number, one);
  add_unknown(answer, event, cannot_tell);
}

}  // namespace tpulab
