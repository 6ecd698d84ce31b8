#include "commands/help_causes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/wrapped.h"
#include "engine/base/text.h"
#include "engine/session/answers/advise.h"

namespace tpulab {

namespace {

constexpr std::size_t indent = 13;  // behind "  caused by  "

// "advise, analyse"
std::string verbs_of(const Diagnosis& one) {
  std::vector<std::string_view> verbs;
  if (one.in_run != nullptr) verbs.push_back("advise");
  if (one.in_report != nullptr) verbs.push_back("analyse");
  if (one.in_script != nullptr) verbs.push_back("script");
  return fmt::format("{}", fmt::join(verbs, ", "));
}

std::string page_of(const Diagnosis& one) {
  std::string text =
      fmt::format("{} ({}; {})\n  {}\n", one.name, name_of(one.family), verbs_of(one), one.title);
  if (one.caused_by.empty()) return text;
  std::vector<std::string> lines;
  append_wrapped(lines, "  caused by  ", one.caused_by, indent);
  append_wrapped(lines, "  cured by   ", one.cured_by, indent);
  return text + fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace

std::vector<std::string> cause_page(std::string_view word) {
  for (const Diagnosis* one : all_diagnoses()) {
    if (word != one->name && word != one->title) continue;
    std::vector<std::string> lines = split(trimmed(page_of(*one)), '\n');
    append_wrapped(lines, "  in PyTorch ", one->change, indent);
    return lines;
  }
  return {};
}

std::string causes_text() {
  std::string text =
      "`advise` finds them in a run here, `analyse` in a report of a real TPU, as far\n"
      "as its counters tell, `script` in the recorded steps of a script of yours.\n"
      "Most can be brought about and cured by settings:\n";
  for (const Diagnosis* one : all_diagnoses()) text += "\n" + page_of(*one);
  return text;
}

}  // namespace tpulab
