// metrics: PyTorch/XLA's metrics report.
#include <fmt/format.h>

#include <algorithm>

#include "commands/report_comparison.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::string_view usage = "metrics [compare FILE FILE]";

// Of a file, or of the newest run.
MetricsReport report_named(const std::string& typed, const CommandContext& context) {
  const std::string name = file_named(typed);
  if (name != "run") return analysis_of(read_file(name), name).report;
  const std::string text = context.engine.metrics_report();
  if (text.empty()) throw Error("nothing is counted yet; `run` starts a run");
  return analysis_of(text, "the newest run").report;
}

Reply compare(Arguments files, CommandContext& context) {
  const MetricsReport first = report_named(files[0], context);
  const MetricsReport second = report_named(files[1], context);
  return reply_of(compare_reports(files[0], first, files[1], second));
}

Reply metrics(Arguments arguments, CommandContext& context) {
  if (arguments.size() == 3 && arguments.front() == "compare") {
    return compare(arguments.subspan(1), context);
  }
  if (!arguments.empty()) throw Error(fmt::format("usage: {}", usage));
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

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (before.empty()) return {"compare"};
  return {"run"};
}

}  // namespace

extern const Command metrics_command;
const Command metrics_command{
    "metrics",
    usage,
    "Print PyTorch/XLA's metrics report of the newest run, or compare two reports.",
    "The names, order, units and percentiles are those of torch_xla.debug.metrics, the times are "
    "TPU time (estimated) on the emulated host's clock. metrics compare a.txt b.txt sets two "
    "reports side by side, ours or those of a real TPU; `run` in a file's place is the newest run.",
    metrics,
    complete,
};

}  // namespace tpulab
