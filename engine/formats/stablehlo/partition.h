// A text whose arguments are divided among devices, as the program that one of them runs.
#pragma once

#include "engine/formats/stablehlo/graph_builder.h"
#include "engine/formats/stablehlo/module.h"

namespace tpulab::stablehlo {

// @main with the parts of one device and the collectives between them, its calls and shard_maps
// followed; nothing where no argument and no constraint is divided. `notes` tells of shardings that
// are not read or do not divide evenly, and names operations that need whole what devices hold in
// parts. Where the text's shardings make no one mesh each device has the whole step, and that is
// noted. Throws Error for texts that cannot be followed, and for a shard_map without such a mesh.
void partition(Module& module, ImportNotes& notes);

}  // namespace tpulab::stablehlo
