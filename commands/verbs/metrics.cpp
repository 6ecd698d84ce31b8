// metrics: PyTorch/XLA's metrics report.
#include <fmt/format.h>

#include <algorithm>

#include "commands/report_comparison.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/session/answers/report_versions.h"
#include "engine/session/answers/whose_figures.h"

namespace tpulab::metrics_command {

namespace {

constexpr std::string_view usage = "metrics [version=1.13|2.9 | compare FILE FILE]";
constexpr std::string_view version_is = "version=";

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

// Empty for today's names and exact times.
std::string_view version_of(Arguments arguments) {
  if (arguments.empty()) return {};
  const std::string_view first = arguments.front();
  if (arguments.size() > 1 || !first.starts_with(version_is)) {
    throw Error(fmt::format("usage: {}", usage));
  }
  const std::string_view version = first.substr(version_is.size());
  missing_in_report(version);  // refuses one that is not known, also before there is a run
  return version;
}

bool is_call(const OutputLine& row) {
  const auto* name = std::get_if<std::string>(&row.fields.front().value);
  return name != nullptr && name->starts_with("xla::") && *name != "xla::_to_cpu";
}

void add_what_is_missing(std::string_view version, Reply& reply) {
  reply.lines.push_back(fmt::format("# {}", missing_in_report(version)));
  if (std::ranges::none_of(reply.rows, is_call)) {
    reply.lines.emplace_back(
        "# not in it either: other xla:: counters, as a network in time only, or a function that "
        "is compiled once, is not traced call by call");
  }
}

// Which process counted, and under whose names: other frameworks count none of this.
void add_whose(const CommandContext& context, Reply& reply) {
  const auto run = context.engine.newest_evidence();
  if (!run) return;
  for (const std::string& line : whose_counters(run->machine)) reply.lines.push_back("# " + line);
  if (run->machine.stack->traces_each_step()) return;
  reply.lines.push_back(fmt::format(
      "# {} keeps no such report: its run is counted under PyTorch/XLA's names, and what it "
      "traces once counts as LazyTracing at 0 s",
      run->machine.stack->name));
}

Reply metrics(Arguments arguments, CommandContext& context) {
  if (arguments.size() == 3 && arguments.front() == "compare") {
    return compare(arguments.subspan(1), context);
  }
  const std::string_view version = version_of(arguments);
  Reply reply;
  reply.lines = split(trimmed(context.engine.metrics_report(version)), '\n');
  reply.rows = context.engine.metric_rows(version);
  if (reply.rows.empty()) {
    reply.lines = {"nothing is counted yet; `run` starts a run"};
  } else {
    add_whose(context, reply);
    if (!version.empty()) add_what_is_missing(version, reply);
  }
  const auto metrics = std::ranges::count(reply.rows, "metric", &OutputLine::event);
  reply.fields = {
      {"metrics", std::int64_t{metrics}},
      {"counters", static_cast<std::int64_t>(reply.rows.size()) - std::int64_t{metrics}}};
  return reply;
}

std::vector<std::string> complete(Arguments before, const CommandContext&) {
  if (before.empty()) {
    std::vector<std::string> words{"compare"};
    for (const std::string_view version : report_versions()) {
      words.push_back(fmt::format("{}{}", version_is, version));
    }
    return words;
  }
  if (before.front() != "compare") return {};
  return {"run"};
}

}  // namespace

extern const Command row;
const Command row{
    "metrics",
    usage,
    "Print PyTorch/XLA's metrics report of the newest run, or compare two reports.",
    "The names, order, units and percentiles are those of torch_xla.debug.metrics, the times are "
    "TPU time (estimated) on the emulated host's clock. metrics version=1.13 prints them as that "
    "release of PyTorch/XLA does, metrics version=2.9 as 2.9: its names and order, each part of a "
    "time rounded up from a half on as there, and what no run here measures named behind a #. "
    "metrics compare a.txt b.txt sets two "
    "reports side by side, ours or those of a real TPU; `run` in a file's place is the newest run.",
    metrics,
    complete,
};

}  // namespace tpulab::metrics_command
