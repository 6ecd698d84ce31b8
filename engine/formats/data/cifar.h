// Images as the binary versions of CIFAR-10 and CIFAR-100 hold them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

// Of the 32 x 32 pixels of three colours.
inline constexpr std::size_t cifar_values = 3072;

struct CifarImages {
  std::string_view kind{};      // "CIFAR-10"
  int classes = 0;              // of CIFAR-100 the fine ones
  std::vector<float> values{};  // row by row, the colours of a pixel together, 0..255
  std::vector<int> labels{};
};

// They have no header: a label or two and the pixels of each image. None where the length does not
// say so. Throws Error with the image whose label is out of range. `file` is how errors call it.
std::optional<CifarImages> read_cifar(std::string_view bytes, const std::string& file);

}  // namespace tpulab
