// slow_host: batches, values or programs come to the devices too late.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/base/text.h"
#include "engine/machine/loader.h"

namespace tpulab::slow_host_diagnosis {

namespace {

constexpr double worth_saying = 0.05;

struct Sent {
  Picoseconds ready{};   // rows loaded, in the background or by the host itself
  Picoseconds upload{};  // of the batch and of scalars
  std::int64_t uploads = 0;
  Bytes bytes;
};

Sent newest_sent(const RecordedRun& run) {
  Sent sent;
  for (const TimedEvent& timed : run.steady.back()->events) {
    const EventKind kind = timed.event->kind;
    if (kind == EventKind::load) sent.ready += timed.end - timed.start;
    sent.ready += in_background(kind) ? timed.cpu : Picoseconds{};
    if (kind != EventKind::next_batch && kind != EventKind::upload) continue;
    sent.upload += timed.upload;
    sent.bytes += timed.event->sent;
    ++sent.uploads;
  }
  return sent;
}

Finding in_run(const RecordedRun& run) {
  if (run.steady.empty()) return {};
  const Sent sent = newest_sent(run);
  const double waited =
      run.share(Share::input) + run.share(Share::transfer) + run.share(Share::read_back);
  // Even where a step hides it: it may be what comes next.
  const bool long_enough = sent.ready + sent.upload > scaled(run.mean_step(), worth_saying);
  const double slowness = slowness_of_python(run.machine);
  const bool traces = slowness > 1 && run.share(Share::host_tracing) >= worth_saying;
  if (waited < worth_saying && !long_enough && !traces) return {};
  std::vector<std::string> seen;
  if (waited >= worth_saying || !traces) {
    seen = {fmt::format("step {}: {} of batch and values make {}; rows ready in {}, sent in {}",
                        run.steady.back()->step, count_with(sent.uploads, "transfer"),
                        text_of(sent.bytes), text_of(sent.ready), text_of(sent.upload)),
            fmt::format("input, transfers and read-backs: {} of a steady step of {}",
                        text_of_share(waited), text_of(run.mean_step()))};
  }
  if (traces) {
    seen.push_back(fmt::format(
        "host tracing {} of a steady step of {}; on {} CPUs Python takes {:.2g} times as long as "
        "on a free one of a TPU VM",
        text_of_share(run.share(Share::host_tracing)), text_of(run.mean_step()),
        host_cpus(run.machine), slowness));
  }
  const bool mostly_traces = traces && run.share(Share::host_tracing) > waited;
  return found(std::move(seen),
               mostly_traces
                   ? "the devices wait for what the host traces: its CPUs are slow, or too few"
                   : "the devices wait for what the host sends: its link or its CPUs are slow",
               traces ? std::vector<std::string>{"host tpu-vm", "host_cpus auto"}
                      : std::vector<std::string>{"host tpu-vm"});
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "slow_host",
    .title = "the devices wait for what the host sends or traces too late",
    .family = Family::hardware,
    .caused_by = "host colab-node-2021",
    .cured_by = "host tpu-vm",
    .change =
        "run on a TPU VM beside the chips; send smaller dtypes, as images of uint8 that the device "
        "normalises",
    .in_run = in_run,
};

}  // namespace tpulab::slow_host_diagnosis
