// The roofline: how many operations a kernel does for each byte over HBM, and how fast.
#pragma once

#include <span>

#include "engine/session/answers/priced_program.h"
#include "tui/draw/canvas.h"

namespace tpulab {

// Both axes are logarithmic. The slope is what HBM allows, the level what the matrix units do, in
// as many bf16 passes as the products take; a kernel is a mark below them, the chosen one stands
// out. Those without a product have no place in it and are counted below. `chosen` may be null.
void draw_roofline(Canvas& canvas, Rect area, const PricedProgram& program,
                   std::span<const KernelRow* const> kernels, const KernelRow* chosen,
                   Glyphs glyphs);

}  // namespace tpulab
