// Steps without numbers that do what another did, and which scalars a host has sent.
#include <algorithm>
#include <bit>

#include "engine/base/error.h"
#include "engine/runtime/runtime.h"

namespace tpulab {

std::optional<KnownStep> Runtime::known_step() const {
  const auto compiles = [](const Event& event) { return event.kind == EventKind::compile; };
  if (numbers_ || std::ranges::any_of(*newest_.events, compiles)) return std::nullopt;
  return newest_;
}

StepTimeline Runtime::repeat_step(const KnownStep& known, std::int64_t step, std::int64_t samples) {
  expects(!numbers_, "numbers are computed from a trace of their own");
  for (const std::uint32_t bits : known.scalars) sent_scalars_.send(bits);
  for (const auto& [name, times] : known.counts) metrics_.count(name, times);
  open_ = {known.kind, step, samples, known.events, process_};
  return keep_step();
}

void Runtime::send_new_scalars(const Cut& cut) {
  if (!machine().stack->traces_each_step()) return;
  for (const NodeId id : cut.nodes) {
    const std::optional<float>& scalar = cut.graph->node(id).scalar;
    if (!scalar) continue;
    newest_.scalars.push_back(std::bit_cast<std::uint32_t>(*scalar));
    if (!sent_scalars_.send(newest_.scalars.back())) continue;
    record({.kind = EventKind::upload, .sent = {bytes_of(DType::f32)}});
    count("DeviceDataCacheMiss");
  }
}

bool Runtime::knows_scalar(double value) const {
  return sent_scalars_.knows(std::bit_cast<std::uint32_t>(static_cast<float>(value)));
}

void Runtime::count(std::string_view name, std::int64_t times) {
  newest_.counts[name] += times;
  metrics_.count(name, times);
}

}  // namespace tpulab
