// The other side of lead.h: what every process but rank 0 does.
#pragma once

#include "engine/base/peers.h"

namespace tpulab {

// Until rank 0 leaves. Blocks.
void follow(Peers& peers);
// Rank 0 leaves: the others end. Nothing without peers.
void leave(Peers* peers);

}  // namespace tpulab
