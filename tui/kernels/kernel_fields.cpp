#include "tui/kernels/kernel_fields.h"

#include <algorithm>
#include <array>
#include <functional>

#include "engine/base/text.h"
#include "tui/draw/fit.h"

namespace tpulab {

static_assert(default_kernel_field == 1, "the longest comes first");

namespace {

double per_second(std::int64_t amount, const KernelRow& kernel) {
  const double seconds = in_seconds(kernel.time);
  return seconds > 0 ? static_cast<double>(amount) / seconds : 0;
}

double bytes_per_second(const KernelRow& kernel, const PricedProgram& /*program*/) {
  return per_second(kernel.traffic.value, kernel);
}

double share_of(const KernelRow& kernel, const PricedProgram& program) {
  return in_seconds(time_of_all(kernel)) / std::max(1e-12, in_seconds(program.time));
}

std::string or_none(double value, std::string (*words)(double)) {
  return value > 0 ? words(value) : "-";
}

std::string small_number(double value) {
  return value >= 1000 ? text_of_count(value) : text_of_number(value);
}

constexpr std::array<KernelField, 10> fields{{
    {{"kernel", 14, false, 9},
     [](const KernelRow& kernel, const PricedProgram&) { return kernel.name; },
     nullptr},
    {{"time", 8, true, 8},
     [](const KernelRow& kernel, const PricedProgram&) { return text_of(time_of_all(kernel)); },
     [](const KernelRow& kernel, const PricedProgram&) { return in_seconds(time_of_all(kernel)); }},
    {{"share", 7, true, 7},
     [](const KernelRow& kernel, const PricedProgram& program) {
       return text_of_share(share_of(kernel, program));
     },
     share_of},
    {{"useful", 7, true, 5},
     [](const KernelRow& kernel, const PricedProgram& program) {
       return or_none(utilisation_of(kernel, program.roofs), text_of_share);
     },
     [](const KernelRow& kernel, const PricedProgram& program) {
       return utilisation_of(kernel, program.roofs);
     }},
    {{"HBM", 9, true, 4},
     [](const KernelRow& kernel, const PricedProgram&) {
       return text_of(Bytes{kernel.traffic.value * kernel.runs});
     },
     [](const KernelRow& kernel, const PricedProgram&) {
       return static_cast<double>(kernel.traffic.value * kernel.runs);
     }},
    {{"FLOP/s", 7, true, 3},
     [](const KernelRow& kernel, const PricedProgram&) {
       return or_none(operations_per_second(kernel), text_of_count);
     },
     [](const KernelRow& kernel, const PricedProgram&) { return operations_per_second(kernel); }},
    {{"HBM B/s", 8, true, 2},
     [](const KernelRow& kernel, const PricedProgram& program) {
       return or_none(bytes_per_second(kernel, program), text_of_count);
     },
     bytes_per_second},
    {{"FLOP/B", 7, true, 1},
     [](const KernelRow& kernel, const PricedProgram&) {
       return or_none(operations_per_byte(kernel), small_number);
     },
     [](const KernelRow& kernel, const PricedProgram&) { return operations_per_byte(kernel); }},
    {{"runs", 5, true, 0},
     [](const KernelRow& kernel, const PricedProgram&) { return text_with_commas(kernel.runs); },
     [](const KernelRow& kernel, const PricedProgram&) {
       return static_cast<double>(kernel.runs);
     }},
    {{"bound", 11, false, 6},
     [](const KernelRow& kernel, const PricedProgram&) {
       return std::string(name_of(kernel.bound));
     },
     nullptr},
}};

bool holds(std::string_view name, std::string_view sought) {
  return find_in(name, sought) != std::string_view::npos;
}

}  // namespace

std::span<const KernelField> kernel_fields() { return fields; }

double operations_per_second(const KernelRow& kernel) {
  return per_second(kernel.useful.value, kernel);
}

double operations_per_byte(const KernelRow& kernel) {
  if (kernel.useful.value <= 0) return 0;
  return static_cast<double>(kernel.useful.value) /
         static_cast<double>(std::max<std::int64_t>(1, kernel.traffic.value));
}

double utilisation_of(const KernelRow& kernel, const Roofs& roofs) {
  return roofs.operations > 0 ? operations_per_second(kernel) / roofs.operations : 0;
}

std::string explanation_of(std::string_view kernel_name) {
  const std::size_t region = kernel_name.rfind(": ");
  const std::size_t start = region == std::string_view::npos ? 0 : region + 2;
  const std::size_t end = std::min(kernel_name.size(), kernel_name.find_first_of("+ ", start));
  return "explain " + std::string(kernel_name.substr(start, end - start));
}

Picoseconds time_of_all(const KernelRow& kernel) { return kernel.time * kernel.runs; }

std::vector<const KernelRow*> chosen_kernels(const ViewState& view) {
  std::vector<const KernelRow*> kernels;
  if (view.program == nullptr) return kernels;
  for (const KernelRow& row : view.program->kernels) {
    if (holds(row.name, view.sought_kernel) || holds(name_of(row.bound), view.sought_kernel)) {
      kernels.push_back(&row);
    }
  }
  const auto last = static_cast<int>(fields.size()) - 1;
  const KernelField& field =
      fields.at(static_cast<std::size_t>(std::clamp(view.kernel_field, 0, last)));
  const PricedProgram& program = *view.program;
  if (field.number != nullptr) {
    std::ranges::stable_sort(kernels, std::greater<>{},
                             [&](const KernelRow* row) { return field.number(*row, program); });
  } else {
    std::ranges::stable_sort(kernels, {},
                             [&](const KernelRow* row) { return field.words(*row, program); });
  }
  return kernels;
}

}  // namespace tpulab
