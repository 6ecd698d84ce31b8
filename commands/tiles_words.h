// What a product does on the matrix units, in words.
#pragma once

#include <string_view>

#include "commands/answer.h"

namespace tpulab {

// "129 -> 256 columns, 50 % of them zeros": how each side of the product is padded, what the
// array's slots hold in all its clocks, and these.
void add_tiles(Answer& answer, const ProductTiles& product);

// The same of any product, "8192x129x8192" (rows x contraction x columns), as a kernel of its own
// with the settings' machine and precision. Throws Error for other words.
Answer tiles_answer(std::string_view sizes, const Settings& settings, const std::stop_token& stop);

}  // namespace tpulab
