// uploads: the steps send to the device, or sending takes a large part of the time.
#include <fmt/format.h>

#include "engine/advice/diagnosis.h"
#include "engine/advice/report_facts.h"
#include "engine/advice/script_facts.h"
#include "engine/base/text.h"

namespace tpulab::uploads_diagnosis {

namespace {

Finding in_report(const Counters& counters) {
  if (counters.find("TransferToDeviceTime") == nullptr &&
      counters.find("IrValueTensorToXlaData") == nullptr) {
    return cannot_tell("no transfer to the device is told");
  }
  const ReportFacts facts = facts_of(counters);
  const double traced = counters.total("IrValueTensorToXlaData");
  const double share = facts.share(facts.upload_seconds + traced);
  if (share < 0.2) return {};
  return found_in_report(
      {fmt::format("{} to the device take {:.1f} s, {}",
                   count_with(counters.samples("TransferToDeviceTime"), "transfer"),
                   facts.upload_seconds,
                   text_of(Bytes{static_cast<std::int64_t>(counters.total("OutboundData"))})),
       fmt::format("{} while tracing take {:.1f} s (IrValueTensorToXlaData)",
                   count_with(counters.samples("IrValueTensorToXlaData"), "tensor"), traced)},
      "batches are sent in the background and may cost nothing; tensors made on the CPU in the "
      "step are sent while the host traces",
      0.5 * share);
}

Finding in_script(const ScriptFacts& facts) {
  if (facts.uploads.empty()) return {};
  std::string inferred =
      "the host sends them while it traces; a loader (MpDeviceLoader) sends batches in the "
      "background, and what never changes can be made once, before the loop";
  if (facts.on_cpu) {
    inferred += "; recorded on the CPU, .to() of what is on the device already looks the same";
  }
  return found_in_script(evidence_of(facts.uploads, facts.steps), std::move(inferred),
                         0.1 + 0.3 * share_of_steps(facts.uploads, facts.steps));
}

}  // namespace

extern const Diagnosis row;
const Diagnosis row{
    .name = "uploads",
    .title = "tensors are sent to the device again and again",
    .family = Family::hardware,
    .caused_by = "host colab-node-2021",
    .cured_by = "host tpu-vm",
    .change =
        "make constants on the device (device=...), once; send smaller dtypes; load with "
        "MpDeviceLoader",
    .in_report = in_report,
    .in_script = in_script,
};

}  // namespace tpulab::uploads_diagnosis
