// gpu_forecast(): how fast GPUs train a named network: a published measurement where one exists,
// else a roofline marked rough.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/gpus/gpu_points.h"
#include "engine/gpus/gpu_roofline.h"

namespace tpulab {

struct GpuForecastRequest {
  std::string model = "resnet50";
  std::optional<TracedNetwork> network{};  // a user's own in place of the name's
  std::string gpus = "v100x8";
  std::int64_t batch = 32;    // rows of each GPU and update
  std::int64_t sequence = 0;  // tokens of a row, 0: the model's own
  std::int64_t image = 0;     // pixels of a side, 0: the model's own
  GpuPrecision precision = GpuPrecision::mixed;
};

struct GpuForecast {
  GpuForecastRequest request{};
  GpuGroup group{};
  const GpuPoint* point = nullptr;  // the figure that is used, of an even number the upper of the
                                    // two in the middle; null: the roofline's
  Picoseconds step{};               // of one update of all GPUs
  double samples_per_second = 0;    // of all GPUs
  double tokens_per_second = 0;     // 0 for images
  std::string stack{};              // "tensorflow 2018"; of a roofline "no stack"
  double scale = 1;                 // of the roofline's rate, where a figure is near
  const GpuPoint* near = nullptr;   // that figure: of the chip, but not of what is asked
  std::string distance{};           // from what was measured to what is asked
  double band = 0;                  // relative half width
  std::string band_source{};
  GpuRoofline roofline{};  // also where a figure is published

  bool published() const { return point != nullptr; }
  // "8 x V100 SXM2 16 GB (NVLink 2, 150 GB/s each way), mixed precision, tensorflow 2018".
  std::string words() const;
};

// A figure is used where model, row size, chip and precision are the same and it was measured on
// one box, by count or else by GPU. Of several the median. Where the count, the batch, the memory
// or the chip is another, the roofline is scaled as the nearest figure stands to its own. Throws
// Error for an unknown model or GPU, a precision that the chip lacks, a model of which not one row
// fits.
GpuForecast gpu_forecast(const GpuForecastRequest& request);

// Nine of ten published figures that say their batch are nearer to the roofline. No constant of the
// roofline is fitted to them, but they are why elementwise work beside a product counts apart.
double rough_band();
// The most that published figures of the same model, GPUs, count and precision differ from their
// median.
double published_band();

}  // namespace tpulab
