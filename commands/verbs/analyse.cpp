// analyse: a metrics report of a real TPU, explained.
#include "engine/session/answers/analyse.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/answer.h"
#include "commands/command.h"
#include "commands/diagnosed_words.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab::analyse_command {

namespace {

constexpr std::string_view usage = "analyse FILE | -";

void add_head(Answer& answer, const std::string& name, const ReportAnalysis& analysis) {
  const MetricsReport& report = analysis.report;
  const ReportFacts& facts = analysis.facts;
  const std::string counted = fmt::format(
      "{}{}, {}, {}", report.at_least ? "at least " : "", count_with(facts.syncs, "sync"),
      count_with(facts.executions, "execution"), count_with(facts.compiles, "compile"));
  if (analysis.debug) {
    add_line(answer, fmt::format("{}: output of PT_XLA_DEBUG: {}, no times", name, counted));
    add_line(answer,
             "  which value was read it does not tell: item(), print and .cpu() look alike; all");
    add_line(answer, "  reads are counted as those of operations that it names as not lowered");
  } else {
    add_line(answer, fmt::format("{}: {}, {}; {} in {:.3g} s", name,
                                 count_with(std::ssize(report.counters.series), "metric"),
                                 count_with(std::ssize(report.counters.counts), "counter"), counted,
                                 facts.compile_seconds));
  }
  if (report.reports > 1) {
    add_line(answer, fmt::format("  the last of {}{}", count_with(report.reports, "report"),
                                 report.step.empty() ? "" : ", of step " + report.step));
  }
  if (report.cut_off) add_line(answer, "  the text ends within a value, which is left out");
  const auto is_time = [](const Series& one) { return one.unit == MetricUnit::time; };
  if (report.corrected && std::ranges::any_of(report.counters.series, is_time)) {
    add_line(answer,
             "  parts of times are read as the original prints them: rounded up from a half on");
  }
  add_fields(answer, {{"file", name},
                      {"reports", report.reports},
                      {"syncs", facts.syncs},
                      {"executions", facts.executions},
                      {"compiles", facts.compiles},
                      {"compile_seconds", facts.compile_seconds},
                      {"execute_seconds", facts.execute_seconds},
                      {"span_seconds",
                       facts.span_seconds > 0 ? EventValue(facts.span_seconds) : EventValue()}});
}

Answer answer_of(const std::string& name, const ReportAnalysis& analysis) {
  Answer answer;
  add_head(answer, name, analysis);
  const ReportFacts& facts = analysis.facts;
  if (facts.syncs + facts.executions + facts.compiles == 0) {
    add_line(answer,
             "nothing ran in this process: with several devices each of them trains in one of its "
             "own; print the report there, in Lightning in on_fit_end");
  } else if (analysis.found.empty()) {
    add_line(answer, "nothing is wrong as far as these counters tell");
  }
  add_diagnosed(answer, "analyse", analysis.found, analysis.cannot_tell);
  return answer;
}

Reply analyse(Arguments arguments, CommandContext& context) {
  if (arguments.size() != 1) throw Error(fmt::format("analyse takes one file; usage: {}", usage));
  const std::string file = file_named(arguments.front());
  if (file == "-" && context.interactive) {
    throw Error("`analyse -` reads standard input, which is the prompt here; name a file");
  }
  const std::string name = file == "-" ? "standard input" : file;
  const std::string text = file == "-" ? read_standard_input() : read_file(file);
  return reply_of(answer_of(name, analysis_of(text, name)));
}

}  // namespace

extern const Command row;
const Command row{
    "analyse",
    usage,
    "Explain a metrics report of a real TPU: what its counters show, and what they cannot.",
    "Reads what torch_xla.debug.metrics.metrics_report() prints, of releases from 2019 to today, a "
    "metrics file (XLA_METRICS_FILE, the last report in it), also inside a log, our own "
    "`metrics`, and what PT_XLA_DEBUG prints (`xla_debug`), as far as that tells. What was counted "
    "is certain; what follows from it is marked as inferred; where no "
    "counter tells, that is said. - reads standard input: tpulab -c \"analyse -\" < report.txt",
    analyse,
};

}  // namespace tpulab::analyse_command
