// What of nodes decides which kernels they become, beside traits and elements.
#pragma once

#include "engine/compiler/program.h"

namespace tpulab {

// What a node sends; it is a collective.
CollectiveWork collective_of(const Program& program, NodeId id);
// A reduction over the last axis: it is known once a row is.
bool folds_rows(const Program& program, NodeId id);

}  // namespace tpulab
