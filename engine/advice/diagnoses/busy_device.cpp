// busy_device: programs run most of the time, as they should.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/base/text.h"

namespace tpulab::busy_device_diagnosis {

namespace {

// From dispatch to completion, as it is counted since 2.0.
std::string queued(const Series& runs) {
  const double rate = runs.samples_per_second.value_or(0);
  return fmt::format(
      "ExecuteTime: {:.2f} s a second with the waits in the queue, {} each in the middle{}",
      *runs.total_per_second, text_of(picoseconds_from_seconds(runs.median)),
      rate > 0
          ? fmt::format("; one program ends every {}", text_of(picoseconds_from_seconds(1 / rate)))
          : "");
}

Finding in_report(const Counters& counters) {
  const ReportFacts facts = facts_of(counters);
  const Series* runs = counters.find("ExecuteTime");
  if (runs == nullptr || !runs->total_per_second) {
    return cannot_tell("no rate of ExecuteTime is in the report");
  }
  const bool overlap = *runs->total_per_second > 1.05;
  // Before 2.0 nothing queues: more than one device shares the report, of how many it does not say.
  if (overlap && counters.find("LazyTracing") == nullptr) {
    return cannot_tell("ExecuteTime is that of several devices, of how many is not told");
  }
  if (*runs->total_per_second < 0.7 || facts.share(facts.compile_seconds) > 0.5) return {};
  if (overlap) {
    return found_in_report(
        {queued(*runs)},
        "programs wait in the queue of the device, which runs one at a time: the "
        "host is not what binds",
        0.5);
  }
  // The rest is the host's.
  const bool alone = *runs->total_per_second > 0.9;
  return found_in_report(
      {fmt::format("ExecuteTime: {:.2f} s of programs a second, {} each in the middle",
                   *runs->total_per_second, text_of(picoseconds_from_seconds(runs->median)))},
      alone ? "the device computes, or programs queue for it (releases since 2.0 count the queue): "
              "the host is not what binds"
            : "the device computes that long, or programs queue for it (releases since 2.0 count "
              "the queue); in the rest it waits for the host: tracing, Python or the loader",
      0.5);
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "busy_device",
    .title = "the device is busy most of the time",
    .family = Family::structure,
    .caused_by = "batch 128; model resnet50; numbers off",
    .cured_by = "precision bf16-true",
    .change =
        "profile the program (XProf): precision, padding to 128, shapes of products; what "
        "it costs follows from the model",
    .in_report = in_report,
};

}  // namespace tpulab::busy_device_diagnosis
