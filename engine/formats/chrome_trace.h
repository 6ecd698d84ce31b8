// A run as a trace that Perfetto (ui.perfetto.dev) and chrome://tracing open: what the host, its
// loader and each group of devices did, on the clock of TPU time.
// Format: Trace Event Format, Google 2016: complete events "X", microseconds.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/runtime/simulate.h"

namespace tpulab {

struct ChromeTrace {
  std::string json;
  std::int64_t events = 0;
};

// Kernels are shown where all devices do the same; beside a straggler they wait inside a program,
// and each group shows where its time goes.
ChromeTrace chrome_trace(std::span<const StepTimeline> steps, const Machine& machine);

}  // namespace tpulab
