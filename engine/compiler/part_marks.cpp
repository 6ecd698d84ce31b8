#include "engine/compiler/part_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

namespace tpulab {

namespace {

std::uint64_t joined(std::uint64_t one, std::uint64_t other) {
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15U;
  return (one ^ (other + factor + (one << 6U) + (one >> 2U))) * factor;
}

std::uint64_t mark_of(std::string_view text) { return std::hash<std::string_view>()(text); }

std::uint64_t mark_of(const Kernel& kernel) {
  return joined(joined(mark_of(kernel.name), mark_of(kernel.part)),
                static_cast<std::uint64_t>(kernel.runs));
}

std::uint64_t mark_of(const std::vector<int>& numbers) {
  std::uint64_t mark = numbers.size();
  for (const int number : numbers) mark = joined(mark, static_cast<std::uint64_t>(number));
  return mark;
}

// Programs made from a list of kernels have no nodes.
std::span<const Kernel> kernels_in_place_of_ops(const Program& program) {
  return program.nodes.empty() ? std::span(program.kernels) : std::span<const Kernel>();
}

// Of two lists in order: what stands in one alone, the longer of both rests.
int difference(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  std::size_t same = 0;
  for (auto one = a.begin(), other = b.begin(); one != a.end() && other != b.end();) {
    if (*one == *other) ++same;
    const bool behind = *one <= *other;
    if (*other <= *one) ++other;
    if (behind) ++one;
  }
  return static_cast<int>(std::max(a.size(), b.size()) - same);
}

}  // namespace

PartMarks marks_of(const Program& program) {
  const Fingerprint& parts = program.fingerprint;
  PartMarks marks{.key = parts.key, .lists = {}};
  std::size_t list = 0;
  for (const auto* texts : {&parts.inputs, &parts.ops, &parts.outputs}) {
    for (const std::string& text : *texts) marks.lists[list].push_back(mark_of(text));
    ++list;
  }
  for (const Kernel& kernel : kernels_in_place_of_ops(program)) {
    marks.lists[1].push_back(mark_of(kernel));
  }
  for (auto& numbers : marks.lists) std::ranges::sort(numbers);
  marks.others = {mark_of(parts.sequence), mark_of(parts.donated), mark_of(parts.topology),
                  parts.wiring};
  return marks;
}

int difference(const PartMarks& a, const PartMarks& b) {
  if (a.key == b.key) return 0;
  int count = 0;
  for (std::size_t i = 0; i < a.lists.size(); ++i) count += difference(a.lists[i], b.lists[i]);
  for (std::size_t i = 0; i < a.others.size(); ++i) count += a.others[i] != b.others[i] ? 1 : 0;
  return std::max(1, count);
}

bool adds_inputs(const PartMarks& a, const PartMarks& b) {
  const auto& inputs = a.lists[0];
  const auto& others = b.lists[0];
  return std::ranges::includes(inputs, others) || std::ranges::includes(others, inputs);
}

Fingerprint parts_of(const Program& program) {
  Fingerprint parts = program.fingerprint;
  std::vector<std::string> lines;
  for (const Kernel& kernel : kernels_in_place_of_ops(program)) {
    lines.push_back(fmt::format("{} x {}", kernel.full_name(), kernel.runs));
  }
  parts.ops.insert(parts.ops.begin(), lines.begin(), lines.end());
  return parts;
}

}  // namespace tpulab
