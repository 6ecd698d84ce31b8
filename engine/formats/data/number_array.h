// Arrays of numbers as NumPy (.npy) and MNIST's IDX files hold them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tpulab {

struct NumberArray {
  std::vector<std::int64_t> extents{};
  std::string_view type{};  // "u8", "f32"
  std::vector<float> values{};

  std::int64_t rows() const { return extents.front(); }
};

inline constexpr std::int64_t most_values = std::int64_t{1} << 26;  // of one file

bool begins_as_npy(std::string_view bytes);
bool begins_as_idx(std::string_view bytes);
// Whether the third byte tells one of its types of numbers.
bool has_idx_type(std::string_view bytes);
// One of both, by its first bytes. `file` is how errors call it. Throws Error for other types and
// for a file that holds more or less than its header says.
NumberArray parse_numbers(std::string_view bytes, const std::string& file);

}  // namespace tpulab
