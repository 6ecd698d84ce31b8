// metrics: PyTorch/XLA's metrics report.
#include <algorithm>

#include "commands/command.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

Reply metrics(Arguments, CommandContext& context) {
  Reply reply;
  reply.lines = split(trimmed(context.engine.metrics_report()), '\n');
  if (reply.lines == std::vector<std::string>{""}) {
    reply.lines = {"nothing is counted yet; `run` starts a run"};
  }
  reply.rows = context.engine.metric_rows();
  const auto metrics = std::ranges::count(reply.rows, "metric", &OutputLine::event);
  reply.fields = {
      {"metrics", std::int64_t{metrics}},
      {"counters", static_cast<std::int64_t>(reply.rows.size()) - std::int64_t{metrics}}};
  return reply;
}

}  // namespace

extern const Command metrics_command;
const Command metrics_command{
    "metrics",
    "metrics",
    "Print PyTorch/XLA's metrics report of the newest run.",
    "The names, order, units and percentiles are those of torch_xla.debug.metrics, the times are "
    "TPU time (estimated) on the emulated host's clock.",
    metrics,
};

}  // namespace tpulab
