// What can be taken away from a run, as text for a file.
#pragma once

#include <cstdint>
#include <string>

#include "engine/session/answers/run_evidence.h"

namespace tpulab {

struct Exported {
  std::string text;
  std::int64_t steps = 0;       // in it
  std::int64_t recorded = 0;    // of the run
  std::int64_t first_step = 0;  // with which the recorded begin; 0: all of the run are
  std::int64_t lines = 0;
};

// A trace that Perfetto opens: its first `most_steps` recorded steps, in TPU time.
Exported trace_of(const RunEvidence& run, std::int64_t most_steps);
// A line a step as CSV with a head, or as JSON (JSONL): when it began and ended and where the
// device's time went, in seconds of TPU time; its loss and accuracy where the run's curves keep
// them.
enum class StepLines : std::uint8_t { csv, jsonl };
Exported steps_of(const RunEvidence& run, StepLines kind);

// An event file of TensorBoard: loss and accuracy of the whole run, and of each recorded step its
// TPU time, in series that are called so. Wall times lie evenly between those of two evaluations.
// `lines` counts scalars.
Exported events_of(const RunEvidence& run);
// Where it belongs below the folder that was asked for: a folder a run, as TensorBoard wants them.
std::string event_file_name(const RunEvidence& run);
// As scripts can name it: "HBM-bound" -> "HBM_bound", "samples/s" -> "samples_per_second".
std::string as_column(std::string words);
// "host tracing" -> "host_tracing_s"
std::string column_of(Share share);

// A PyTorch Lightning script of the experiment as the settings have it, for a real TPU: it prints a
// metrics report, which `analyse` reads. Throws Error for a model or data that it cannot write.
std::string lightning_script(const Settings& settings);

}  // namespace tpulab
