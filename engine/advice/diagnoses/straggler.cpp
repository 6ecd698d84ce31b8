// straggler: one part is slower, and all others wait for it in the all-reduce.
#include "engine/machine/straggler.h"

#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"

namespace tpulab::straggler_diagnosis {

namespace {

double own_work(const RecordedRun& run, std::size_t group) {
  return 1 - run.share(Share::collective_wait, group) - run.share(Share::idle, group);
}

std::string devices_text(const RecordedRun& run, std::size_t group) {
  const std::vector<int>& devices = run.groups[group].devices;
  const bool several = devices.size() > 1;
  return fmt::format("{}{} {}{}", run.machine.slice.device_word(), several ? "s" : "",
                     devices.front(), several ? fmt::format(" to {}", devices.back()) : "");
}

// All alike, and yet slower than such a host or device is.
Finding all_slow(const RecordedRun& run) {
  const auto& [devices, host, device] = run.groups.front();
  Finding finding = found({}, "the machine is slower than others of its kind", {"straggler none"});
  if (host > 1) {
    finding.certain.push_back(
        fmt::format("the host of {} takes {:.3g} times as long to trace an operation as such a "
                    "host does",
                    devices_text(run, 0), host));
  }
  if (device > 1) {
    finding.certain.push_back(fmt::format("{}: {:.3g} times as long for the same work as its kind",
                                          devices_text(run, 0), device));
  }
  return finding.certain.empty() ? Finding{} : finding;
}

Finding slow_link(const RecordedRun& run, const Straggler& link) {
  return found(
      {fmt::format("the links of chip {} take {:.3g} times as long for a byte as others; "
                   "bytes of collectives take {} of a step",
                   link.index, link.factor, text_of_share(run.share(Share::collective_transfer)))},
      "a ring is as fast as its slowest link: all devices wait for it", {"straggler none"});
}

Finding slow_devices(const RecordedRun& run) {
  Finding finding =
      found({}, "a step is as long as that of the slowest: all meet in the all-reduce",
            {"straggler none"});
  const double others = own_work(run, 0);
  for (std::size_t group = 1; group < run.groups.size(); ++group) {
    finding.certain.push_back(
        fmt::format("{}: busy or waiting for the host {} of a step, the others {}; these wait {} "
                    "in collectives",
                    devices_text(run, group), text_of_share(own_work(run, group)),
                    text_of_share(others), text_of_share(run.share(Share::collective_wait))));
  }
  return finding;
}

Finding in_run(const RecordedRun& run) {
  if (run.steady.empty()) return {};
  const Straggler* const link = slowest_link(run.machine);
  Finding finding = link != nullptr         ? slow_link(run, *link)
                    : run.groups.size() < 2 ? all_slow(run)
                                            : slow_devices(run);
  if (const Straggler* part = slowest_part(run.machine)) {
    finding.culprit = name_of(*part, run.machine.slice);
    finding.culprit_text = text_of(*part, run.machine);
  }
  return finding;
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "straggler",
    .title = "one part is slower than its like",
    .family = Family::hardware,
    .caused_by = "straggler host:0:1.4",
    .cured_by = "straggler none",
    .change =
        "give each host the same work (rows, image sizes, other programs); ask for another "
        "machine if one stays slow",
    .in_run = in_run,
};

}  // namespace tpulab::straggler_diagnosis
