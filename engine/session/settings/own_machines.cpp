#include "engine/session/settings/own_machines.h"

#include "engine/machine/gpus.h"
#include "engine/machine/machine.h"

namespace tpulab {

std::optional<OwnMachine> own_machine_of(std::string_view slice) {
  if (reads_as_gpus(slice)) return std::nullopt;
  return own_machine(slice_named(slice).generation->name);
}

}  // namespace tpulab
