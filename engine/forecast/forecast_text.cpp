#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/forecast/forecast.h"

namespace tpulab {

namespace {

std::string mesh_text(const Mesh& mesh) {
  return fmt::format("slices {} x data {} x fsdp {} x tensor {}", mesh.slices, mesh.data, mesh.fsdp,
                     mesh.tensor);
}

std::string rate_text(const Forecast& forecast) {
  std::string text = fmt::format("{} samples/s", text_of_count(forecast.samples_per_second));
  if (forecast.tokens_per_second > 0) {
    text += fmt::format(", {} tokens/s", text_of_count(forecast.tokens_per_second));
  }
  return text;
}

std::string terms_text(const Forecast& forecast, bool exposed) {
  std::string text;
  for (const ForecastTerm& term : forecast.terms) {
    if (term.exposed != exposed) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", term.name, text_of(term.time));
  }
  return text;
}

std::string memory_text(const ForecastMemory& memory) {
  return fmt::format(
      "HBM per device {} of {}: weights {}, gradients {}, optimizer state {}, activations {}, "
      "temporaries {}",
      text_of(memory.total()), text_of(memory.limit), text_of(memory.weights),
      text_of(memory.gradients), text_of(memory.optimizer_state), text_of(memory.activations),
      text_of(memory.temporaries));
}

std::string band_text(const ForecastBand& band) {
  std::string text = fmt::format("+-{:.0f} % ({})", band.width * 100, band.source);
  if (!band.nearest.empty()) {
    text += fmt::format(", nearest {} ({})", band.nearest, band.distance);
  }
  return text;
}

}  // namespace

std::vector<std::string> text_of(const Forecast& forecast) {
  const ForecastRequest& request = forecast.request;
  std::vector<std::string> lines;
  lines.push_back(fmt::format(
      "{} ({} parameters) on {}, {}, {}, batch {} ({} a replica), {}", request.model,
      text_of_count(static_cast<double>(forecast.parameters)), forecast.slice.name, request.stack,
      request.precision, request.batch, forecast.rows_per_replica, mesh_text(forecast.mesh)));
  lines.push_back(fmt::format("step {} TPU time (estimated) {}", text_of(forecast.step),
                              band_text(forecast.band)));
  lines.push_back(fmt::format("{}, {:.3g} TFLOP/s a chip, MFU {}, duty cycle {}",
                              rate_text(forecast), forecast.tflops_per_chip,
                              text_of_share(forecast.mfu), text_of_share(forecast.duty_cycle)));
  lines.push_back("step = " + terms_text(forecast, true));
  lines.push_back("beside it: " + terms_text(forecast, false));
  const ForecastBound& first = forecast.bounds[0];
  const ForecastBound& second = forecast.bounds[1];
  lines.push_back(fmt::format("bound: {} ({}), next: {} at {} of it", first.name,
                              text_of(first.time), second.name,
                              text_of_share(in_seconds(second.time) / in_seconds(first.time))));
  lines.push_back(memory_text(forecast.memory));
  if (!forecast.out_of_memory.empty()) lines.push_back(forecast.out_of_memory);
  lines.push_back(fmt::format("compile {} to {}", text_of(forecast.compile_least),
                              text_of(forecast.compile_most)));
  return lines;
}

}  // namespace tpulab
