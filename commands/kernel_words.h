// A priced kernel in words: its terms, what binds it, what its products fill.
#pragma once

#include <string>

#include "engine/session/answers/priced_program.h"

namespace tpulab {

// "dot+add x 7: 13.2 us = start 1.20 us + max(matrix 12.0 us, HBM 8.00 us); bound: matrix unit
// 12.0 us, then HBM 8.00 us, 33 % below".
std::string kernel_line(const KernelRow& row);

// "[32, 64] x [64, 10]: n 10 -> 128 columns; 0.97 % of the slots hold data; 290 clocks".
std::string tiles_in_brief(const ProductTiles& product);

}  // namespace tpulab
