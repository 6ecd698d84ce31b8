#include "engine/session/settings/own_machines.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/machine/gpus.h"
#include "engine/machine/machine.h"
#include "engine/machine/own_machine_file.h"

namespace tpulab {

std::optional<OwnMachine> own_machine_of(std::string_view slice) {
  if (reads_as_gpus(slice)) return std::nullopt;
  return own_machine(slice_named(slice).generation->name);
}

std::string constant_of_machines(std::string_view word) {
  const std::vector<std::string> keys = machine_keys();
  if (std::ranges::find(keys, word) == keys.end()) return {};
  return fmt::format(
      "'{}' is a constant of a machine, and no setting: write it in a file of your own, as `help "
      "slices` shows",
      word);
}

}  // namespace tpulab
