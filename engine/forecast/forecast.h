// What a forecast is asked, and the HBM that it tells. Its times are those of a run: see
// timed_training.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/mesh.h"
#include "engine/machine/machine.h"
#include "engine/training/workload.h"

namespace tpulab {

// A step that is written down elsewhere: what every device runs, whatever the other devices do.
struct GivenStep {
  StepWork work{};
  std::vector<std::string> inputs{};  // "f32[64,32]"; empty: unknown
  Bytes state{};                      // of it what stays on a device between steps
  std::int64_t rows = 1;              // of a batch, on a device
  std::int64_t alike = 1;             // devices that have the same rows
  int devices = 1;                    // that exchange values in it
  int made_for = 1;                   // devices that it was divided for; 1: any number
  bool trains = false;                // else all that stays are weights
};

inline constexpr std::array<std::string_view, 2> quant_names{"none", "int8"};
inline constexpr std::array<std::string_view, 3> attention_names{"auto", "scores", "fused"};

struct ForecastRequest {
  std::string model = "resnet50";
  std::optional<TracedNetwork> network{};    // a user's own in place of the name's
  std::shared_ptr<const GivenStep> given{};  // a whole step in place of the name's
  std::string slice = "v3-8";
  std::string host = "tpu-vm";
  std::string stack = "jax";
  std::string precision = "bf16-mixed";  // storage and products: 32-true, bf16-mixed, bf16-true
  std::string matmul = "default";        // one of matmul_names
  std::optional<DType> sent{};  // rows of numbers leave the host so; empty: as the stack does
  std::int64_t batch = 0;       // rows over all devices; 0: 32 on each device
  std::int64_t sequence = 0;    // tokens of a row, 0: the model's own
  std::int64_t image = 0;       // pixels of a side, 0: the model's own
  Mesh mesh{};
  Remat remat = Remat::none;
  std::int64_t loss_pieces = 1;                 // of a device's tokens, where logits are made
  std::string quant = "none";                   // one of quant_names
  std::string attention = "auto";               // one of attention_names; auto: as the stack does
  bool donate = true;                           // new weights and state take over the old ones' HBM
  bool sums_batches = false;                    // gradients of several batches wait for an update
  std::optional<OptimizerKind> optimizer = {};  // empty: usual_optimizer(model)
};

// Compile times of one graph differ by this factor, up and down, between machines and releases.
inline constexpr double compile_spread = 3;

// HBM of one device.
struct ForecastMemory {
  Bytes weights{};
  bool with_state = false;  // weights are with what an optimizer keeps: none says which are which
  Bytes optimizer_state{};
  Bytes activations{};  // and gradients: what there is of both when most is held
  Bytes temporaries{};
  Bytes validation_rows{};  // of all batches that one graph validates
  Bytes batches_ahead{};    // that the loader keeps ready
  Bytes limit{};            // what the device has
  Bytes on_host{};          // of what it has made, in its host's memory
  Bytes host_limit{};       // its part of that

  Bytes total() const {
    return weights + optimizer_state + activations + temporaries + validation_rows + batches_ahead;
  }
  bool fits() const { return total() <= limit && on_host <= host_limit; }
};

// The machine of a request. Throws Error.
Machine machine_of(const ForecastRequest& request);

}  // namespace tpulab
