#include "tui/farewell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "commands/repeat_line.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

std::string result_of(const RunView& run) {
  std::string text = fmt::format("run {}: {} on {}, {} after {}", run.number, run.model,
                                 run.machine, name_of(run.state), count_with(run.step, "step"));
  if (std::isfinite(run.loss) && run.numbers) text += fmt::format(", loss {:.4f}", run.loss);
  if (std::isfinite(run.test_accuracy)) {
    text += fmt::format(", test accuracy {:.1f} %", run.test_accuracy * 100);
  }
  return text;
}

std::string bound_of(const RunView& run) {
  if (run.bound.empty()) return "bound: no steady step";
  return fmt::format("bound: {}; {} samples/s TPU time (est.)", run.bound.text(),
                     text_of_count(run.tpu_rate_steady));
}

}  // namespace

std::string farewell(const RunView& run, const Settings& settings, const Settings& fresh) {
  if (run.number == 0) return {};
  return fmt::format("{}\n{}\nagain: {}\n", result_of(run), bound_of(run),
                     fmt::join(repeat_lines(run, settings, fresh), "\n"));
}

}  // namespace tpulab
