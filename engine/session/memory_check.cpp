#include "engine/session/memory_check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/machine/machine.h"
#include "engine/machine/price.h"
#include "engine/session/lightning_rules.h"
#include "engine/session/plan.h"
#include "engine/training/dataset.h"
#include "engine/training/model.h"
#include "engine/training/optimizer.h"

namespace tpulab {

namespace {

constexpr std::int64_t bytes_of_f32 = 4;
constexpr double usable_share_of_this_computer = 0.8;

std::vector<std::int64_t> layer_widths(const Settings& settings) {
  std::vector<std::int64_t> widths{digits().features};
  widths.insert(widths.end(), settings.hidden.begin(), settings.hidden.end());
  widths.push_back(digits().classes);
  return widths;
}

std::int64_t sum_of_widths(const Settings& settings) {
  std::int64_t sum = 0;
  for (const std::int64_t width : layer_widths(settings)) sum += width;
  return sum;
}

std::int64_t states_per_weight(const Settings& settings) {
  return state_count(optimizer_of(settings));
}

// Weights and biases as HBM holds them, padded to tiles.
Bytes padded_weights(const Settings& settings) {
  const DType dtype = settings.precision == "bf16-true" ? DType::bf16 : DType::f32;
  Bytes bytes;
  for (const Parameter& parameter : Mlp{layer_widths(settings)}.parameters()) {
    bytes += padded_bytes(parameter.shape, dtype);
  }
  return bytes;
}

// Lanes that a row of each layer takes.
std::int64_t sum_of_padded_widths(const Settings& settings) {
  constexpr std::int64_t lanes = 128;
  std::int64_t sum = 0;
  for (const std::int64_t width : layer_widths(settings))
    sum += (width + lanes - 1) / lanes * lanes;
  return sum;
}

Bytes widest_array(const Settings& settings) {
  const DType dtype = settings.precision == "bf16-true" ? DType::bf16 : DType::f32;
  return padded_bytes({settings.batch, std::ranges::max(settings.hidden)}, dtype);
}

void check_hbm(const Settings& settings) {
  const MemoryNeed need = memory_need(settings);
  const Slice slice = slice_named(settings.slice);
  const Bytes limit = slice.hbm_per_device();
  const std::string where =
      fmt::format("a {} of {} has {}", device_word(slice), slice.name, text_of(limit));
  const std::string state =
      fmt::format("{} of weights, {} of gradients and {} of optimizer state", text_of(need.weights),
                  text_of(need.gradients), text_of(need.optimizer_state));
  const std::int64_t largest = (limit - need.state()).value / need.per_row.value;
  if (largest < 1) {
    throw Error(
        fmt::format("RESOURCE_EXHAUSTED: the model {} does not fit: {} on every device, and {}; "
                    "choose smaller hidden layers, "
                    "precision bf16-true or a slice with more HBM",
                    layer_widths_text(settings), state, where));
  }
  if (settings.batch <= largest) return;
  throw Error(fmt::format(
      "RESOURCE_EXHAUSTED: batch {} does not fit: its activations need {} ({} a row; the largest "
      "array is {} of hidden layer activations) beside {}, and {}; the largest batch that fits is "
      "{}{}",
      settings.batch, text_of(need.per_row * settings.batch), text_of(need.per_row),
      text_of(widest_array(settings)), state, where, largest,
      settings.precision == "bf16-true" ? "" : ", or about twice that with precision bf16-true"));
}

// The numbers are computed here, in f32, once for all devices or once per device (replicas).
void check_this_computer(const Settings& settings) {
  const auto world = static_cast<std::int64_t>(chosen_devices(settings).size());
  const std::int64_t copies = settings.replicas == "separate" ? world : 1;
  const std::int64_t values_per_weight = 2 + states_per_weight(settings);
  const std::int64_t rows = std::min(settings.batch, rows_per_device(settings)) * world;
  const Bytes need{bytes_of_f32 * (parameter_count(settings) * values_per_weight * copies +
                                   2 * sum_of_widths(settings) * rows)};
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (static_cast<double>(need.value) <= memory * usable_share_of_this_computer) return;
  throw Error(fmt::format(
      "the numbers of model {} on {} devices need {} of this computer, which has {}; choose "
      "smaller hidden layers{}",
      layer_widths_text(settings), world, text_of(need),
      text_of(Bytes{static_cast<std::int64_t>(memory)}), copies > 1 ? " or replicas auto" : ""));
}

}  // namespace

std::int64_t parameter_count(const Settings& settings) {
  return Mlp{layer_widths(settings)}.parameter_count();
}

std::string layer_widths_text(const Settings& settings) {
  return fmt::format("{}", fmt::join(layer_widths(settings), "-"));
}

MemoryNeed memory_need(const Settings& settings) {
  const std::int64_t bytes = settings.precision == "bf16-true" ? 2 : 4;
  const Bytes weights = padded_weights(settings);
  return {.weights = weights,
          .gradients = weights * 2,
          .optimizer_state = weights * states_per_weight(settings),
          .per_row = Bytes{2 * sum_of_padded_widths(settings) * bytes}};
}

std::int64_t rows_per_device(const Settings& settings) {
  const auto world = static_cast<std::int64_t>(chosen_devices(settings).size());
  return (training_rows(split_named(settings.split)) + world - 1) / world;
}

void check_memory(const Settings& settings) {
  check_hbm(settings);
  check_this_computer(settings);
}

}  // namespace tpulab
