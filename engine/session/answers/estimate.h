// estimate(): what a run with these settings would take, without running it: its steps are traced
// and simulated as those of a real run, from the cold start to the end, only without numbers.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/units.h"
#include "engine/session/run/phase_time.h"
#include "engine/session/settings/settings.h"

namespace tpulab {

struct MemoryPart {
  std::string name;  // "optimizer state"
  Bytes bytes;
};

// Devices that do the same at the same time.
struct AlikeEstimate {
  std::vector<int> devices;  // ascending
  Picoseconds step{};        // of theirs, which may end later than those of others
  double duty_cycle = 0;
  double utilisation = 0;
};

// A whole run, from its cold start to the limit of its settings.
struct RunEstimate {
  std::int64_t steps = 0;
  std::int64_t epochs = 0;  // 0 where the data has no length
  std::int64_t compiles = 0;
  std::int64_t loaded = 0;        // programs, from disk
  Picoseconds time{};             // compiles, evaluations and reads included
  Evaluations evaluations{};      // of it, without their compiles
  double samples_per_second = 0;  // over all of that time
};

// TPU time throughout, estimated.
struct Estimate {
  std::string machine;  // "v3-8"
  std::string device;   // what one of it is called: "core"; empty of GPUs
  int devices = 0;      // that it has
  std::string model;    // "mlp 64-1024-1024-10", "resnet50"
  std::string batch;    // "32 x 8 = 256 global"
  std::int64_t global_batch = 0;
  Picoseconds step{};             // of the steady ones, in the mean
  std::int64_t epoch_steps = 0;   // 0 where the data has no length
  std::int64_t epoch_rows = 0;    // of all devices, in these steps
  bool follows_run = false;       // none of the run's is steady: told is what would follow
  double samples_per_second = 0;  // of steady steps
  double tokens_per_second = 0;   // 0 where rows are no token sequences
  double duty_cycle = 0;
  double utilisation = 0;            // unpadded matrix operations over bf16 peak
  std::vector<AlikeEstimate> alike;  // all devices of a run; the largest group, of which the two
                                     // above are, first; none of GPUs
  double peak = 0;                   // of one device, bf16 operations a second
  std::string bound;                 // "host tracing"
  std::string next_bound;            // what would bind if that were free
  Picoseconds next_bound_step{};     // and how long a step would take then
  Phases terms;                      // largest first; they add up to the step
  Bytes hbm_used;                    // of one device
  Bytes hbm_limit;
  std::vector<MemoryPart> memory;  // what hbm_used is made of, where that is known
  bool squeezed = false;           // as of a program
  std::string mesh;                // of a named model: "data=8"
  Phases hidden;                   // what goes on beside the step
  double bubble = 0;               // share of the step in which stages of a pipeline have no rows
  double mfu = 0;                  // model operations over bf16 peak, of a named model: what
                                   // remat computes again counts for nothing
  double tflops_per_chip = 0;      // the same operations
  std::optional<RunEstimate> run;  // none without a limit
  Picoseconds compile{};           // of all programs of the run; without a limit of its start
  Picoseconds compile_least{};     // compile times of one graph differ this far
  Picoseconds compile_most{};      // between machines and releases
  double band = 0;                 // relative half width, 0 if no measurement supports one
  double slower = 0;               // how much longer it may take, if that is another share
  std::string band_source;    // "held-out errors of 12 step points"; says why if there is no band
  std::string band_wider;     // what reaches beyond that to one side; may be empty
  std::string nearest;        // nearest measured point, may be empty
  std::string nearest_found;  // what was measured and is estimated there, if sizes alone differ
  std::optional<double> nearest_error;  // of that estimate, relative, of its time
  std::string gpus;  // of GPUs: count, link, precision and stack in words; else empty
  std::string gpu_stack;
  std::string figure;  // of GPUs: the published figure, or that it is rough
  bool published = false;
};

// Pure: has its own graph, cache and counters, and computes no tensor. Throws Impossible for
// settings that do not fit together or into HBM, and when `stop` is asked for.
Estimate estimate(const Settings& settings, const std::stop_token& stop = {});

// Why there is no estimate: what happened and what to do, with its line breaks.
struct NoEstimate {
  std::string reason;
};
// Where one of many may fail: nobody reads a step out of a failure.
using EstimateOrNot = std::variant<Estimate, NoEstimate>;

}  // namespace tpulab
