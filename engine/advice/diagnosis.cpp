#include "engine/advice/diagnosis.h"

namespace tpulab {

std::string_view name_of(Family family) {
  switch (family) {
    case Family::habits:
      return "habit";
    case Family::shapes:
      return "shapes";
    case Family::hardware:
      return "hardware";
    case Family::structure:
      return "structure";
    case Family::software:
      break;
  }
  return "software";
}

Finding found(std::vector<std::string> certain, std::string inferred,
              std::vector<std::string> tries) {
  return {.verdict = Verdict::found,
          .certain = std::move(certain),
          .inferred = std::move(inferred),
          .tries = std::move(tries)};
}

Finding found_in_report(std::vector<std::string> certain, std::string inferred, double weight) {
  return {.verdict = Verdict::found,
          .certain = std::move(certain),
          .inferred = std::move(inferred),
          .weight = weight};
}

Finding cannot_tell(std::string why) {
  return {.verdict = Verdict::cannot_tell, .inferred = std::move(why)};
}

}  // namespace tpulab
