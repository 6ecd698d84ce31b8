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
  for (const std::uint32_t bits : known.scalars) send_scalar(bits);
  for (const auto& [name, times] : known.counts) metrics_.count(name, times);
  open_ = {known.kind, step, samples, known.events, process_};
  return keep_step();
}

// Where each step is traced anew, a scalar is sent and found again by its value later, while it is
// among the newest. [P:torch_xla/csrc/tensor.cpp, XLA_DEVDATA_CACHE_SIZE 128]
void Runtime::send_new_scalars(const Cut& cut) {
  if (!machine().stack->traces_each_step()) return;
  for (const NodeId id : cut.nodes) {
    const std::optional<float>& scalar = cut.graph->node(id).scalar;
    if (!scalar) continue;
    newest_.scalars.push_back(std::bit_cast<std::uint32_t>(*scalar));
    if (!send_scalar(newest_.scalars.back())) continue;
    record({.kind = EventKind::upload, .sent = {bytes_of(DType::f32)}});
    count("DeviceDataCacheMiss");
  }
}

bool Runtime::send_scalar(std::uint32_t bits) {
  constexpr std::size_t kept = 128;
  const auto known = std::ranges::find(sent_scalars_, bits);
  if (known != sent_scalars_.end()) {
    std::rotate(known, known + 1, sent_scalars_.end());
    return false;
  }
  sent_scalars_.push_back(bits);
  if (sent_scalars_.size() > kept) sent_scalars_.erase(sent_scalars_.begin());
  return true;
}

bool Runtime::knows_scalar(double value) const {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::ranges::find(sent_scalars_, bits) != sent_scalars_.end();
}

void Runtime::count(std::string_view name, std::int64_t times) {
  newest_.counts[name] += times;
  metrics_.count(name, times);
}

}  // namespace tpulab
