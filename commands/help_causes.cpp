#include "commands/help_causes.h"

#include <fmt/format.h>

#include "engine/session/advise.h"

namespace tpulab {

std::string causes_text() {
  std::string text =
      "`advise` finds them in a run here, `analyse` in a report of a real TPU, as far\n"
      "as its counters tell. Each can be brought about and cured by settings:\n";
  for (const Diagnosis* one : all_diagnoses()) {
    const bool here = one->in_run != nullptr;
    const bool there = one->in_report != nullptr;
    text += fmt::format("\n{} ({}; {})\n  {}\n", one->name, name_of(one->family),
                        here && there ? "advise, analyse"
                        : here        ? "advise"
                                      : "analyse",
                        one->title);
    if (one->caused_by.empty()) continue;
    text += fmt::format("  caused by  {}\n  cured by   {}\n", one->caused_by, one->cured_by);
  }
  return text;
}

}  // namespace tpulab
