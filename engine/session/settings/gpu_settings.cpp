#include "engine/session/settings/gpu_settings.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/forecast/single_kernel.h"
#include "engine/session/settings/imported_models.h"
#include "engine/session/settings/plan.h"

namespace tpulab {

bool on_gpus(const Settings& settings) { return reads_as_gpus(settings.slice); }

std::string gpus_in_words(const Settings& settings) {
  return fmt::format("{}, {} precision; to forecast and compare, nothing runs on it",
                     gpus_named(settings.slice).words(), settings.gpu_precision);
}

void check_gpu_settings(const Settings& settings) {
  const GpuGroup group = gpus_named(settings.slice);
  const GpuPrecision precision = gpu_precision_named(settings.gpu_precision);
  if (names_kernel(settings.model)) {
    throw Error(
        fmt::format("{} is a single kernel and GPUs are forecast with networks only; "
                    "choose one such as resnet50",
                    settings.model));
  }
  if (names_program(settings.model)) {
    throw Error(
        fmt::format("{} is a program for TPUs; choose a named network for GPUs", settings.model));
  }
  if (!is_named(settings) && settings.model != "mlp") {
    throw Error(fmt::format("no GPU figure is known for {}; choose mlp or a named network",
                            settings.model));
  }
  if (group.gpu->flops_per_second(precision) <= 0) {
    throw Error(fmt::format("{} has no {}; choose gpu.precision mixed or fp32", group.gpu->chip,
                            settings.gpu_precision));
  }
  struct TpuOnly {
    const char* name;
    const std::string& value;
    const char* usual;
  };
  const std::array<TpuOnly, 5> all{{{"devices", settings.devices, "auto"},
                                    {"mesh", settings.mesh, "auto"},
                                    {"remat", settings.remat, "none"},
                                    {"quant", settings.quant, "none"},
                                    {"straggler", settings.straggler, "none"}}};
  if (settings.devices_a_row > 1) {
    throw Error(fmt::format("batch {} is for TPUs and {} names GPUs; set batch 1 or more",
                            show_batch(settings), settings.slice));
  }
  for (const TpuOnly& one : all) {
    if (one.value == one.usual) continue;
    throw Error(fmt::format("{} {} is for TPUs and {} names GPUs; set {} {} to compare them",
                            one.name, one.value, settings.slice, one.name, one.usual));
  }
}

void refuse_to_run_on_gpus(const Settings& settings) {
  if (!on_gpus(settings)) return;
  throw Impossible(
      fmt::format("nothing runs on {}: GPUs are there for forecast, compare, sweep and whatif; "
                  "choose a TPU slice, for example v3-8",
                  settings.slice));
}

GpuForecastRequest gpu_request(const Settings& settings) {
  GpuForecastRequest request{.model = settings.model,
                             .gpus = settings.slice,
                             .batch = settings.batch,
                             .sequence = settings.sequence,
                             .image = settings.image,
                             .precision = gpu_precision_named(settings.gpu_precision)};
  if (const auto configured = configured_network(settings.model)) {
    request.network = configured->network;
  } else if (!is_named(settings)) {
    request.model = model_title(settings);
    Model model = model_of(settings);
    const Example row = dataset_of(settings).example(model.input);
    request.network = TracedNetwork{.model = std::move(model), .row = row};
  }
  return request;
}

}  // namespace tpulab
