#include "engine/formats/data/number_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"

// Sources: numpy.lib.format, versions 1.0 to 3.0; yann.lecun.com/exdb/mnist, "the IDX file format".

namespace tpulab {

namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
float number_at(const char* at, bool turned) {
  std::array<char, sizeof(Number)> bytes{};
  std::memcpy(bytes.data(), at, sizeof(Number));
  if (turned) std::ranges::reverse(bytes);
  return static_cast<float>(std::bit_cast<Number>(bytes));
}

struct StoredType {
  std::string_view npy;  // after its byte order
  int idx;               // its code, 0: none
  std::string_view name;
  std::size_t bytes;
  float (*read)(const char* at, bool turned);
};
constexpr std::array<StoredType, 11> stored_types{{{"u1", 0x08, "u8", 1, number_at<std::uint8_t>},
                                                   {"i1", 0x09, "s8", 1, number_at<std::int8_t>},
                                                   {"b1", 0, "bool", 1, number_at<std::uint8_t>},
                                                   {"i2", 0x0B, "s16", 2, number_at<std::int16_t>},
                                                   {"u2", 0, "u16", 2, number_at<std::uint16_t>},
                                                   {"i4", 0x0C, "s32", 4, number_at<std::int32_t>},
                                                   {"u4", 0, "u32", 4, number_at<std::uint32_t>},
                                                   {"i8", 0, "s64", 8, number_at<std::int64_t>},
                                                   {"u8", 0, "u64", 8, number_at<std::uint64_t>},
                                                   {"f4", 0x0D, "f32", 4, number_at<float>},
                                                   {"f8", 0x0E, "f64", 8, number_at<double>}}};

// What a header says of the bytes behind it.
struct Described {
  std::vector<std::int64_t> extents{};
  const StoredType* type = nullptr;
  bool turned = false;  // bytes of a number the other way round
  std::string_view body{};
};

constexpr std::size_t most_extents = 4;

NumberArray read_body(const Described& told, const std::string& file) {
  NumberArray array{.extents = told.extents, .type = told.type->name};
  if (array.extents.empty() || array.extents.size() > most_extents) {
    throw Error(fmt::format("{}: its array has {} axes; give rows of numbers or of images, 1 to {}",
                            file, array.extents.size(), most_extents));
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : array.extents) {
    if (extent < 1 || extent > most_values / count) {
      throw Error(
          fmt::format("{}: an array of [{}] is empty or larger than the {} numbers that "
                      "are taken; give a part of it",
                      file, fmt::join(array.extents, ","), text_with_commas(most_values)));
    }
    count *= extent;
  }
  const std::size_t needed = static_cast<std::size_t>(count) * told.type->bytes;
  if (told.body.size() != needed) {
    throw Error(fmt::format(
        "{}: it has {} of the {} bytes that [{}] of {} take; it is cut or no "
        "such file",
        file, told.body.size(), needed, fmt::join(array.extents, ","), told.type->name));
  }
  array.values.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    array.values[i] = told.type->read(told.body.data() + i * told.type->bytes, told.turned);
    if (std::isfinite(array.values[i])) continue;
    throw Error(fmt::format("{}: number {} is {} as f32; give finite ones, to 3.4e38", file, i,
                            array.values[i]));
  }
  return array;
}

Error no_header(const std::string& file, std::string_view what) {
  return Error(fmt::format("{}: its header has no {}; save it with numpy.save", file, what));
}

// What stands between `open` and `close` behind a key of the header's dictionary.
std::string_view header_entry(std::string_view header, std::string_view key, char open,
                              char close) {
  const auto at = header.find(key);
  if (at == std::string_view::npos) return {};
  const auto begin = header.find(open, at + key.size());
  if (begin == std::string_view::npos) return {};
  const auto end = header.find(close, begin + 1);
  return end == std::string_view::npos ? std::string_view()
                                       : header.substr(begin + 1, end - begin - 1);
}

std::vector<std::int64_t> extents_of(std::string_view shape, const std::string& file) {
  std::vector<std::int64_t> extents;
  for (const std::string& word : split(shape, ',')) {
    const std::string_view digits = trimmed(word);
    if (digits.empty()) continue;
    const auto extent = number_in<std::int64_t>(digits);
    if (!extent) throw no_header(file, "shape of whole numbers");
    extents.push_back(*extent);
  }
  return extents;
}

const StoredType& npy_type(std::string_view descr, const std::string& file) {
  const auto* const found = std::ranges::find(stored_types, descr.substr(1), &StoredType::npy);
  if (found != stored_types.end() &&
      std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
    return *found;
  }
  throw Error(
      fmt::format("{}: its type is '{}'; save whole numbers, float32 or float64", file, descr));
}

Described npy_header(std::string_view bytes, const std::string& file) {
  const bool short_length = bytes.size() > 6 && bytes[6] == 1;
  const std::size_t begin = short_length ? 10 : 12;
  if (bytes.size() < begin) throw no_header(file, "length");
  std::size_t length = 0;
  for (std::size_t i = begin; i > 8; --i)
    length = length * 256 + static_cast<unsigned char>(bytes[i - 1]);
  if (length > bytes.size() - begin) throw no_header(file, "end");
  const std::string_view header = bytes.substr(begin, length);
  const std::string_view descr = header_entry(header, "'descr':", '\'', '\'');
  if (descr.size() < 2) throw no_header(file, "descr");
  if (header.find("'fortran_order': False") == std::string_view::npos) {
    throw Error(
        fmt::format("{}: it is in Fortran's order; save numpy.ascontiguousarray() of it", file));
  }
  if (header.find("'shape':") == std::string_view::npos) throw no_header(file, "shape");
  return {.extents = extents_of(header_entry(header, "'shape':", '(', ')'), file),
          .type = &npy_type(descr, file),
          .turned = descr[0] == '>',
          .body = bytes.substr(begin + length)};
}

// That the third byte names; null for none.
const StoredType* idx_type(std::string_view bytes) {
  const int code = bytes.size() > 2 ? static_cast<unsigned char>(bytes[2]) : 0;
  return code == 0 ? nullptr : find_row(stored_types, code, &StoredType::idx);
}

Described idx_header(std::string_view bytes, const std::string& file) {
  const StoredType* const type = idx_type(bytes);
  const auto rank = static_cast<std::size_t>(static_cast<unsigned char>(bytes[3]));
  if (type == nullptr) {
    throw Error(fmt::format("{}: IDX has no type {:#04x}; is it whole, and unpacked as bytes?",
                            file, static_cast<unsigned char>(bytes[2])));
  }
  if (bytes.size() < 4 + 4 * rank) throw Error(fmt::format("{}: its header is cut", file));
  Described told{.extents = {}, .type = type, .turned = true, .body = bytes.substr(4 + 4 * rank)};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t extent = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      extent = extent * 256 + static_cast<unsigned char>(bytes[4 + 4 * axis + i]);
    }
    told.extents.push_back(extent);
  }
  return told;
}

}  // namespace

bool begins_as_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

bool begins_as_idx(std::string_view bytes) {
  return bytes.size() >= 4 && bytes[0] == 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] > 0;
}

bool has_idx_type(std::string_view bytes) { return idx_type(bytes) != nullptr; }

NumberArray parse_numbers(std::string_view bytes, const std::string& file) {
  if (begins_as_npy(bytes)) return read_body(npy_header(bytes, file), file);
  if (begins_as_idx(bytes)) return read_body(idx_header(bytes, file), file);
  throw Error(fmt::format("{}: it begins as neither .npy nor IDX", file));
}

}  // namespace tpulab
