#include "engine/formats/safetensors.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>

#include "engine/base/error.h"

namespace tpulab {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t length_bytes = 8;
constexpr std::size_t largest_header = std::size_t{8} << 20;
constexpr const char* metadata_key = "__metadata__";

std::string_view stored_name(DType dtype) { return dtype == DType::bf16 ? "BF16" : "F32"; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const DType dtype : {DType::f32, DType::bf16}) {
    if (name == stored_name(dtype)) return dtype;
  }
  return std::nullopt;
}

// bf16 is the upper half of a float, whose lower half is 0.
void append(std::string& text, const Array& array) {
  for (const float value : array.values()) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const bool half = array.dtype() == DType::bf16;
    const std::uint32_t kept = half ? bits >> 16 : bits;
    text.append(reinterpret_cast<const char*>(&kept), half ? 2 : 4);
  }
}

std::vector<float> numbers_of(std::string_view bytes, DType dtype) {
  const auto size = static_cast<std::size_t>(bytes_of(dtype));
  std::vector<float> values;
  values.reserve(bytes.size() / size);
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, size);
    values.push_back(std::bit_cast<float>(dtype == DType::bf16 ? bits << 16 : bits));
  }
  return values;
}

class SafetensorsReading {
 public:
  SafetensorsReading(std::string_view bytes, const std::string& file)
      : bytes_(bytes), file_(file) {}

  Safetensors read() {
    const nlohmann::json header = header_of_file();
    for (const auto& [name, entry] : header.items()) {
      name == metadata_key ? add_metadata(entry) : add_place(name, entry);
    }
    add_arrays();
    return std::move(stored_);
  }

 private:
  struct Place {
    std::string name{};
    DType dtype = DType::f32;
    Shape shape{};
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  [[noreturn]] void wrong(const std::string& what) const {
    throw Error(fmt::format("{} is no safetensors file that can be read: {}", file_, what));
  }

  nlohmann::json header_of_file() {
    if (bytes_.size() < length_bytes) wrong("it is cut before its header");
    std::uint64_t length = 0;
    std::memcpy(&length, bytes_.data(), length_bytes);
    bytes_.remove_prefix(length_bytes);
    const bool cut = length > bytes_.size();
    if (cut && length > largest_header) wrong("its first 8 bytes are no length of a header");
    if (cut) wrong(fmt::format("its header of {} bytes is cut", length));
    if (length > largest_header)
      wrong(fmt::format("its header has {} bytes, more than 8 MiB", length));
    const std::string_view text = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    std::set<std::string> names;
    bool twice = false;
    const auto look = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& entry) {
      const bool name = depth == 1 && event == nlohmann::json::parse_event_t::key;
      if (name) twice |= !names.insert(entry.get<std::string>()).second;
      return depth <= 3;  // nothing that counts lies deeper
    };
    auto header = nlohmann::json::parse(text, look, false);
    if (!header.is_object()) wrong("its header is no JSON object");
    if (twice) wrong("a name stands twice in its header");
    return header;
  }

  void add_metadata(const nlohmann::json& entry) {
    if (!entry.is_object()) wrong("its metadata is no JSON object");
    for (const auto& [key, value] : entry.items()) {
      if (!value.is_string()) wrong(fmt::format("its metadata '{}' is no text", key));
      stored_.metadata[key] = value.get<std::string>();
    }
  }

  // A list of whole numbers from 0.
  std::vector<std::int64_t> counts_in(const nlohmann::json& entry, const std::string& name,
                                      const char* key) const {
    const auto found = entry.is_object() ? entry.find(key) : entry.end();
    if (!entry.is_object() || found == entry.end() || !found->is_array()) {
      wrong(fmt::format("{} has no {}", name, key));
    }
    std::vector<std::int64_t> counts;
    for (const auto& item : *found) {
      constexpr std::uint64_t most = std::uint64_t{1} << 40;
      if (!item.is_number_unsigned() || item.get<std::uint64_t>() > most) {
        wrong(fmt::format("the {} of {} are no whole numbers up to 2^40", key, name));
      }
      counts.push_back(item.get<std::int64_t>());
    }
    return counts;
  }

  void add_place(const std::string& name, const nlohmann::json& entry) {
    const std::vector<std::int64_t> shape = counts_in(entry, name, "shape");
    const std::vector<std::int64_t> offsets = counts_in(entry, name, "data_offsets");
    const auto dtype = entry.find("dtype");
    const bool named = dtype != entry.end() && dtype->is_string();
    const auto known = named ? dtype_named(dtype->get<std::string>()) : std::nullopt;
    if (!known) {
      wrong(fmt::format("{} is of {}; F32 and BF16 are read", name,
                        named ? dtype->get<std::string>() : "no type"));
    }
    if (std::ssize(shape) > Shape::max_rank) wrong(fmt::format("{} has too many axes", name));
    if (offsets.size() != 2 || offsets[0] > offsets[1]) {
      wrong(fmt::format("{} has no begin and end", name));
    }
    places_.push_back({name, *known, Shape(shape), static_cast<std::uint64_t>(offsets[0]),
                       static_cast<std::uint64_t>(offsets[1])});
    check_size(places_.back());
  }

  // Axes are multiplied only as long as the numbers fit into the file.
  void check_size(const Place& place) const {
    std::uint64_t size = static_cast<std::uint64_t>(bytes_of(place.dtype));
    const bool empty = std::ranges::find(place.shape.extents(), 0) != place.shape.extents().end();
    for (const std::int64_t extent : place.shape.extents()) {
      if (empty || size > bytes_.size()) break;
      size *= static_cast<std::uint64_t>(std::min<std::int64_t>(extent, std::int64_t{1} << 32));
    }
    if (empty) size = 0;
    if (place.end > bytes_.size()) wrong(fmt::format("{} ends behind the file", place.name));
    if (size != place.end - place.begin) {
      wrong(fmt::format("{} {} does not take {} bytes", place.name,
                        text_of(place.dtype, place.shape), place.end - place.begin));
    }
  }

  void add_arrays() {
    std::ranges::stable_sort(places_, {}, &Place::begin);
    std::uint64_t next = 0;
    for (const Place& place : places_) {
      if (place.begin < next) wrong(fmt::format("{} overlaps the array before it", place.name));
      if (place.begin > next) wrong(fmt::format("nothing names the bytes before {}", place.name));
      next = place.end;
    }
    if (next != bytes_.size()) wrong("nothing names its last bytes");
    for (const Place& place : places_) {
      const std::string_view part = bytes_.substr(place.begin, place.end - place.begin);
      stored_.arrays.push_back(
          {place.name, Array(place.shape, numbers_of(part, place.dtype), place.dtype)});
    }
  }

  std::string_view bytes_;
  const std::string& file_;
  Safetensors stored_;
  std::vector<Place> places_;
};

}  // namespace

std::string text_of(const Safetensors& stored) {
  auto header = nlohmann::ordered_json::object();
  if (!stored.metadata.empty()) header[metadata_key] = stored.metadata;
  std::int64_t begin = 0;
  for (const auto& [name, values] : stored.arrays) {
    const std::int64_t end = begin + values.bytes().value;
    header[name] = {{"dtype", stored_name(values.dtype())},
                    {"shape", values.shape().extents()},
                    {"data_offsets", {begin, end}}};
    begin = end;
  }
  std::string text = header.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  text.resize((text.size() + length_bytes - 1) / length_bytes * length_bytes, ' ');
  const std::uint64_t length = text.size();
  text.insert(0, reinterpret_cast<const char*>(&length), length_bytes);
  for (const NamedArray& array : stored.arrays) append(text, array.values);
  return text;
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& file) {
  return SafetensorsReading(bytes, file).read();
}

}  // namespace tpulab
