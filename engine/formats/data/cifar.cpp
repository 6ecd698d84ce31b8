#include "engine/formats/data/cifar.h"

#include <fmt/format.h>

#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/data/number_array.h"

// Source: cs.toronto.edu/~kriz/cifar.html, "Binary version".

namespace tpulab {

namespace {

struct Kind {
  std::string_view name;
  std::array<int, 2> classes;  // of its labels; the last is trained
  std::size_t labels;

  std::size_t record() const { return labels + cifar_values; }
};
constexpr std::array<Kind, 2> kinds{
    {{"CIFAR-10", {10, 0}, 1}, {"CIFAR-100", {20, 100}, 2}}};  // coarse and fine

int number_at(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

// Its number, if it is out of range.
std::optional<int> wrong_label(const Kind& kind, std::string_view record) {
  for (std::size_t i = 0; i < kind.labels; ++i) {
    if (number_at(record, i) >= kind.classes[i]) return number_at(record, i);
  }
  return std::nullopt;
}

// By its length; of a length that suits both, by its first labels.
const Kind* kind_of(std::string_view bytes) {
  const Kind* found = nullptr;
  for (const Kind& kind : kinds) {
    if (bytes.empty() || bytes.size() % kind.record() != 0) continue;
    if (found == nullptr || wrong_label(*found, bytes)) found = &kind;
  }
  return found;
}

// The file has one colour after the other.
void add_pixels(std::string_view planes, std::vector<float>& values) {
  constexpr std::size_t pixels = cifar_values / 3;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    for (std::size_t colour = 0; colour < 3; ++colour) {
      values.push_back(static_cast<float>(number_at(planes, colour * pixels + pixel)));
    }
  }
}

}  // namespace

std::optional<CifarImages> read_cifar(std::string_view bytes, const std::string& file) {
  const Kind* const kind = kind_of(bytes);
  if (kind == nullptr) return std::nullopt;
  const std::size_t rows = bytes.size() / kind->record();
  if (rows * cifar_values > static_cast<std::size_t>(most_values)) {
    throw Error(fmt::format("{}: {} images are more than are taken; give one of its files", file,
                            text_with_commas(static_cast<std::int64_t>(rows))));
  }
  CifarImages images{kind->name, kind->classes[kind->labels - 1], {}, {}};
  images.values.reserve(rows * cifar_values);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string_view record = bytes.substr(row * kind->record(), kind->record());
    if (const auto label = wrong_label(*kind, record)) {
      throw Error(
          fmt::format("{} image {}: its label is {}, which {} does not have; is it another "
                      "kind of file?",
                      file, row + 1, *label, kind->name));
    }
    images.labels.push_back(number_at(record, kind->labels - 1));
    add_pixels(record.substr(kind->labels), images.values);
  }
  return images;
}

}  // namespace tpulab
