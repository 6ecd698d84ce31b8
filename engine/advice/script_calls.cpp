#include "engine/advice/script_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/advice/lowered.h"

namespace tpulab {

namespace {

constexpr std::string_view item_op = "aten::_local_scalar_dense";
constexpr std::string_view copy_op = "aten::_to_copy";
constexpr std::string_view from_python_op = "aten::lift_fresh";  // torch.tensor(1.0)
// x[mask]: its bool mask becomes indices by nonzero.
constexpr std::string_view index_op = "aten::index.Tensor";

// What Python asks a whole tensor for; all else is one value.
constexpr std::array<std::string_view, 6> whole_reads{"tolist", "numpy",     "cpu",
                                                      "to",     "__array__", "__repr__"};
// Shapes that these lead to differ anyway where they are sizes.
constexpr std::array<std::string_view, 6> by_number{"aten::select", "aten::slice",
                                                    "aten::narrow", "aten::roll",
                                                    "aten::arange", "aten::as_strided"};

constexpr std::size_t shown_values = 3;

bool any_on(const ScriptCall& call, const std::string& device) {
  return std::ranges::any_of(call.tensors,
                             [&](const ScriptTensor& one) { return one.device == device; });
}

bool is_off(const ScriptCall& call, const std::string& device) {
  return std::ranges::all_of(call.tensors,
                             [&](const ScriptTensor& one) { return one.device != device; });
}

CallRole role_of_copy(const ScriptCall& call, const std::string& device) {
  if (call.targets.empty() || call.tensors.empty()) return CallRole::traced;
  const bool to_device = call.targets.front() == device;
  if (to_device && is_off(call, device)) return CallRole::upload;
  const bool fetched = !is_cpu(device) && is_cpu(call.targets.front()) && any_on(call, device);
  return fetched ? CallRole::download : CallRole::traced;
}

bool has_mask(const ScriptCall& call) {
  return call.name == index_op &&
         std::any_of(call.tensors.begin() + (call.tensors.empty() ? 0 : 1), call.tensors.end(),
                     [](const ScriptTensor& one) { return one.dtype == "bool"; });
}

// Counts of steps stay on the CPU there, so reading and making them costs nothing.
bool is_of_optimizer(const ScriptCall& call) {
  return call.by_optimizer && (call.read || call.name == item_op || call.name == from_python_op);
}

bool is_on_host(const ScriptCall& call, const std::string& device) {
  return !is_cpu(device) && !call.tensors.empty() && is_off(call, device);
}

}  // namespace

bool is_cpu(const std::string& device) { return device == "cpu" || device.starts_with("cpu:"); }

CallRole role_of(const ScriptCall& call, const std::string& device) {
  if (is_of_optimizer(call)) return CallRole::beside;
  if (call.name == from_python_op) return CallRole::upload;
  if (call.name == copy_op) return role_of_copy(call, device);
  if (is_on_host(call, device)) return CallRole::beside;
  if (call.read) {
    const bool whole = std::ranges::find(whole_reads, call.name) != whole_reads.end();
    return whole ? CallRole::download : CallRole::read;
  }
  if (call.name == item_op) return CallRole::read;
  if (has_dynamic_shape(call.name) || has_mask(call)) return CallRole::dynamic;
  return has_no_lowering(call.name) ? CallRole::fallback : CallRole::traced;
}

bool numbers_are_compiled(const ScriptCall& call) {
  return std::ranges::any_of(by_number,
                             [&](std::string_view name) { return call.name.starts_with(name); });
}

std::string values_text(const ScriptCall& call) {
  std::string text;
  for (std::size_t i = 0; i < std::min(call.tensors.size(), shown_values); ++i) {
    const ScriptTensor& one = call.tensors[i];
    text += fmt::format("{}{}[{}]", i == 0 ? "" : ", ", one.dtype, fmt::join(one.shape, ","));
  }
  return call.tensors.size() > shown_values ? text + ", ..." : text;
}

}  // namespace tpulab
