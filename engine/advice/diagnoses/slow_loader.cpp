// slow_loader: rows are made more slowly than the devices take them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"
#include "engine/machine/loader.h"

namespace tpulab::slow_loader_diagnosis {

namespace {

constexpr double worth_saying = 0.05;

// Of the newest steady step: rows of a device, who makes them, and how long that takes.
struct Made {
  std::int64_t rows = 0;
  double loaders = 1;
  Picoseconds time{};
};

Made newest_made(const RecordedRun& run) {
  Made made;
  for (const TimedEvent& timed : run.steady.back()->events) {
    const Event& event = *timed.event;
    if (event.kind != EventKind::load && !in_background(event.kind)) continue;
    made.rows += event.count;
    made.loaders = event.loaders;
    made.time += event.kind == EventKind::load ? timed.end - timed.start : timed.cpu;
  }
  return made;
}

// More than its share of the host's CPUs help no device; another host may have more.
std::vector<std::string> tries_of(const Machine& machine) {
  const double most = host_cpus(machine) / devices_of_host(machine);
  std::vector<std::string> tries;
  for (const int workers : std::set{2, 4, 8, 16, 32, std::max(1, static_cast<int>(most))}) {
    tries.push_back(fmt::format("loader_workers {}", workers));
  }
  tries.emplace_back("host_cpus auto");
  return tries;
}

Finding in_run(const RecordedRun& run) {
  if (run.steady.empty() || run.share(Share::input) < worth_saying) return {};
  const Made made = newest_made(run);
  if (made.time < scaled(run.mean_step(), worth_saying)) return {};
  return found(
      {fmt::format("step {}: {} a device made in {} by {:.3g} at work", run.steady.back()->step,
                   count_with(made.rows, "row"), text_of(made.time), made.loaders),
       fmt::format("the devices wait for input {} of a steady step of {}",
                   text_of_share(run.share(Share::input)), text_of(run.mean_step()))},
      "more processes make more rows, as far as the host has CPUs for them", tries_of(run.machine));
}

// No counter measures rows that are made; that no other explains the time does.
Finding in_report(const Counters& counters) {
  constexpr double unexplained_enough = 0.2;
  const ReportFacts facts = facts_of(counters);
  if (facts.tracing_seconds == 0 || facts.span_seconds == 0) {
    return cannot_tell(
        "no counter measures it, and without rates and LazyTracing none rules it out");
  }
  const double unexplained = facts.unexplained();
  if (unexplained < unexplained_enough) return {};
  return found_in_report(
      {fmt::format(
          "about {:.1f} s: programs run {:.1f} s of them, tracing takes {:.1f} s, compiles "
          "{:.1f} s, transfers {:.1f} s; nothing explains {} of the time",
          facts.span_seconds, facts.execute_seconds, facts.tracing_seconds, facts.compile_seconds,
          facts.download_seconds + facts.upload_seconds, text_of_share(unexplained))},
      "the device is idle while little is traced: the loader, or Python between the calls; the "
      "time "
      "of next(loader) tells which",
      unexplained);
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "slow_loader",
    .title = "the devices wait for rows that are made too slowly",
    .family = Family::habits,
    .caused_by = "loader_workers 0; loader_row_us 8000",
    .cured_by = "loader_workers 12; loader_row_us 100",
    .change =
        "DataLoader(num_workers=...), rows decoded once and kept in a form that is read quickly, "
        "less work in __getitem__",
    .in_run = in_run,
    .in_report = in_report,
};

}  // namespace tpulab::slow_loader_diagnosis
