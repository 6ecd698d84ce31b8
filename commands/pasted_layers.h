// nn.Sequential(...) in the words of a line of layers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tpulab {

// "dense 128 relu | dense 10" of "nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128,
// 10))"; dropout is left out. None where a module has no word here, or there is no such call.
std::optional<std::string> layers_in(std::string_view code);

}  // namespace tpulab
