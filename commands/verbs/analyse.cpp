// analyse: a metrics report of a real TPU, explained.
#include "engine/session/analyse.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "commands/answer.h"
#include "commands/command.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

constexpr std::string_view usage = "analyse FILE | -";

void add_head(Answer& answer, const std::string& name, const ReportAnalysis& analysis) {
  const MetricsReport& report = analysis.report;
  const ReportFacts& facts = analysis.facts;
  add_line(answer,
           fmt::format("{}: {}, {}; {}, {}, {} in {:.3g} s", name,
                       count_with(std::ssize(report.counters.series), "metric"),
                       count_with(std::ssize(report.counters.counts), "counter"),
                       count_with(facts.syncs, "sync"), count_with(facts.executions, "execution"),
                       count_with(facts.compiles, "compile"), facts.compile_seconds));
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

void add_found(Answer& answer, std::int64_t number, const Diagnosed& one) {
  const Diagnosis& cause = *one.cause;
  add_line(answer, fmt::format("{}. {} ({})", number, cause.title, name_of(cause.family)));
  for (const std::string& fact : one.finding.certain) {
    add_line(answer, fmt::format("   certain: {}", fact));
  }
  add_line(answer, fmt::format("   inferred: {}", one.finding.inferred));
  add_line(answer, fmt::format("   in PyTorch: {}", cause.change));
  if (!cause.caused_by.empty()) {
    add_line(answer,
             fmt::format("   to try here: {}; run; {}; run", cause.caused_by, cause.cured_by));
  }
  add_row(answer, "analyse.found",
          {{"number", number},
           {"cause", std::string(cause.name)},
           {"title", std::string(cause.title)},
           {"inferred", one.finding.inferred},
           {"change", std::string(cause.change)}});
}

// Several causes share a reason.
void add_unknown(Answer& answer, const std::vector<Diagnosed>& unknown) {
  std::map<std::string, std::string> titles;
  for (const Diagnosed& one : unknown) {
    std::string& all = titles[one.finding.inferred];
    all += fmt::format("{}{}", all.empty() ? "" : "; ", one.cause->title);
    add_row(answer, "analyse.cannot_tell",
            {{"cause", std::string(one.cause->name)}, {"why", one.finding.inferred}});
  }
  for (const auto& [why, all] : titles) {
    add_line(answer, fmt::format("cannot tell ({}): {}", why, all));
  }
}

Answer answer_of(const std::string& name, const ReportAnalysis& analysis) {
  Answer answer;
  add_head(answer, name, analysis);
  if (analysis.found.empty()) {
    add_line(answer, "nothing is wrong as far as these counters tell");
  }
  std::int64_t number = 0;
  for (const Diagnosed& one : analysis.found) add_found(answer, ++number, one);
  add_unknown(answer, analysis.cannot_tell);
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

extern const Command analyse_command;
const Command analyse_command{
    "analyse",
    usage,
    "Explain a metrics report of a real TPU: what its counters show, and what they cannot.",
    "Reads what torch_xla.debug.metrics.metrics_report() prints, of releases from 2019 to today, a "
    "metrics file (XLA_METRICS_FILE, the last report in it), also inside a log, and our own "
    "`metrics`. What was counted is certain; what follows from it is marked as inferred; where no "
    "counter tells, that is said. - reads standard input: tpulab -c \"analyse -\" < report.txt",
    analyse,
};

}  // namespace tpulab
