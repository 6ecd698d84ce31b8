// An estimate in lines for people, in fields for scripts, and what it costs in dollars.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/answer.h"
#include "engine/session/answers/estimate.h"

namespace tpulab {

struct Cost {
  double dollars_per_million_samples = 0;
  std::optional<double> dollars_per_epoch{};  // where the rows of an epoch are known
  std::optional<double> dollars_of_run{};     // its start and validation too, where it ends
  std::string basis{};                        // "v3-8 at $8 an hour on demand, about 2020, ..."
  std::string words{};  // "$0.12 per million samples (v3-8 at $8 an hour on demand, about 2020)"
};
// Empty where the slice has no known price.
std::optional<Cost> cost_of(const Settings& settings, const Estimate& estimate);

// "+-15 %", or "+50 -15 %" where a step may take that much longer. A band must be known.
std::string band_text(const Estimate& estimate);
// What a rate may be while its step stays within the band that is printed, as factors of the
// estimated one; 1 where no band is known.
struct RateBand {
  double least = 1;
  double most = 1;
};
RateBand rate_band(const Estimate& estimate);
// "3.40 ms +-15 %, nearest C-P17"; says that there is no band where none is supported.
std::string step_with_band(const Estimate& estimate);
// Where an epoch ends with a shorter batch, a step has fewer rows in the mean: "240.4".
std::string rows_a_step(const Estimate& estimate);
// "711.8 of 1024 rows"; empty where nearly all steps are full.
std::string fewer_rows(const Estimate& estimate);
std::vector<std::string> lines_of(const Settings& settings, const Estimate& estimate);
std::vector<EventField> fields_of(const Settings& settings, const Estimate& estimate);
// The same names, of a failure without values, and its "failure" with its line breaks.
std::vector<EventField> fields_of(const Settings& settings, const EstimateOrNot& outcome);

// "drop_last on: no effect on resnet50, ...", of those that have none.
std::vector<std::string> without_effect(const Settings& settings,
                                        const std::vector<Assignment>& changes);

// What the step and the memory are made of, and what the step hides: rows named "step_part",
// "memory_part" and "hidden_part".
void add_parts(Answer& answer, const Estimate& estimate);

// Whether `b` can be told from `a`. The same model, stack and generation share the error that the
// band stands for: it cancels, and a difference counts as it stands. So it does where devices do
// the same: however long that takes, who waits longer for the host is not faster.
enum class Distinction : std::uint8_t {
  clear,
  common_error_cancels,
  same_devices,
  overlapping,
  no_band,
};
Distinction distinction(const Settings& a_settings, const Estimate& a, const Settings& b_settings,
                        const Estimate& b);
bool is_told_apart(Distinction distinction);
std::string_view words_of(Distinction distinction);

}  // namespace tpulab
