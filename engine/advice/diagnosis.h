// Why training is slow: one cause, one file in diagnoses/. A cause looks at what a run recorded, at
// the counters of a report from elsewhere, or at the calls of a script's own steps; it never sees a
// setting.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/advice/recorded_run.h"

namespace tpulab {

struct ScriptFacts;  // script_facts.h

// In which order equal gains are named: what a script does for nothing before what it asks for,
// and a part that is slow before a larger or another machine.
enum class Family : std::uint8_t { habits, shapes, hardware, structure, software };
std::string_view name_of(Family family);

enum class Verdict : std::uint8_t { absent, found, cannot_tell };

struct Finding {
  Verdict verdict = Verdict::absent;
  std::vector<std::string> certain{};  // what was counted: numbers, event, batch
  std::string inferred{};              // what follows from them, or why it cannot be told
  double weight = 0;                 // in reports and scripts: the share of the time it may explain
  std::vector<std::string> tries{};  // as typed here: "batch 64"; one of them may help
  // The change where a step is traced once, with where that is: "in JAX: .."; empty if it is the
  // cause's.
  std::string traced_once{};
  // Where one part of the machine is the cause: "core 5", and "core 5 takes 3x as long as the
  // others".
  std::string culprit{};
  std::string culprit_text{};
};

struct Diagnosis {
  std::string_view name;   // "item"
  std::string_view title;  // "a value is read inside the step"
  Family family;
  std::string_view caused_by;  // as typed here; empty where no setting causes it
  std::string_view cured_by;   // as typed here; empty where no setting cures it
  std::string_view change;     // in PyTorch and Lightning words
  // Another batch or precision trains otherwise: worth saying only where it gains a lot.
  bool changes_training = false;
  double least_gain = 0;       // worth saying; 0: that of its family
  bool recurs = false;         // what it compiles is no cost of the beginning alone: more come
  bool between_steps = false;  // takes time of the run again and again, none of its steady steps
  // Null: no run here has it; no counter of any release tells.
  Finding (*in_run)(const RecordedRun& run) = nullptr;
  Finding (*in_report)(const Counters& counters) = nullptr;
  // Null: no recording of calls tells, as it has no times.
  Finding (*in_script)(const ScriptFacts& facts) = nullptr;
};

// All of them, by the name of their files.
std::span<const Diagnosis* const> all_diagnoses();

Finding found(std::vector<std::string> certain, std::string inferred,
              std::vector<std::string> tries);
Finding found_in_report(std::vector<std::string> certain, std::string inferred, double weight);

Finding cannot_tell(std::string why);

}  // namespace tpulab
