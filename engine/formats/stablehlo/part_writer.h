// The operations of one device: on the parts that it has, with what devices exchange in between.
#pragma once

#include "engine/formats/stablehlo/divided_program.h"
#include "engine/formats/stablehlo/graph_builder.h"

namespace tpulab::stablehlo {

// The body of `entry`, of which `program` says how each value is divided. Its names are kept in
// `module`; `notes` says which operations need whole what devices hold in parts.
Region part_of_one_device(Module& module, const Function& entry, DividedProgram program,
                          const DeviceMesh& mesh, ImportNotes& notes);

}  // namespace tpulab::stablehlo
