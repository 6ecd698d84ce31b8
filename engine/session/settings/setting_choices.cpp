#include "engine/session/settings/setting_choices.h"

#include <fmt/format.h>

#include "engine/forecast/single_kernel.h"
#include "engine/machine/machine.h"
#include "engine/session/settings/gpu_settings.h"
#include "engine/session/settings/lightning_rules.h"
#include "engine/training/dataset.h"
#include "engine/training/networks/networks.h"
#include "engine/training/workload.h"

namespace tpulab {

namespace {

template <class Row>
std::vector<std::string> names_of(std::span<const Row> rows) {
  std::vector<std::string> names;
  for (const Row& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace

std::vector<std::string> offered_models(const Settings&) {
  std::vector<std::string> names = workload_names();
  const std::vector<std::string> trained = trained_names();
  names.insert(names.begin(), trained.begin(), trained.end());
  for (std::string& kernel : kernel_examples()) names.push_back(std::move(kernel));
  return names;
}
std::vector<std::string> offered_data(const Settings&) {
  std::vector<std::string> names(dataset_names().begin(), dataset_names().end());
  names.insert(names.begin(), "auto");
  return names;
}
std::vector<std::string> offered_meshes(const Settings& settings) {
  if (on_gpus(settings)) return {"auto"};
  const int devices = slice_named(settings.slice).devices();
  return {"auto", fmt::format("data={}", devices), fmt::format("fsdp={}", devices)};
}
std::vector<std::string> offered_slices(const Settings&) {
  std::vector<std::string> names = slice_names();
  for (std::string& name : gpu_names()) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> offered_hosts(const Settings&) { return names_of(host_rows()); }
std::vector<std::string> offered_stacks(const Settings&) { return names_of(stack_rows()); }

std::vector<std::string> offered_devices(const Settings& settings) {
  if (on_gpus(settings)) return {"auto"};
  const int n = slice_named(settings.slice).devices_per_host();
  std::vector<std::string> values{"auto", "1"};
  if (n > 1) values.push_back(std::to_string(n));
  for (int i = 0; i < n; ++i) values.push_back(fmt::format("[{}]", i));
  return values;
}

std::vector<std::string> offered_accelerators(const Settings&) { return {"auto", "tpu"}; }
std::vector<std::string> offered_strategies(const Settings&) {
  return {lightning_strategies.begin(), lightning_strategies.end()};
}
std::vector<std::string> offered_precisions(const Settings& settings) {
  std::vector<std::string> names{"32-true", "bf16-true", "16-true"};
  if (settings.stack != "pytorch-xla") names.emplace_back("bf16-mixed");
  return names;
}

}  // namespace tpulab
