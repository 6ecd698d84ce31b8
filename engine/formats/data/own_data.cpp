#include "engine/formats/data/own_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/formats/data/characters.h"
#include "engine/formats/data/cifar.h"
#include "engine/formats/data/number_array.h"
#include "engine/formats/data/number_table.h"
#include "engine/training/random.h"

namespace tpulab {

namespace {

constexpr int most_label = 65'535;
constexpr std::int64_t fewest_rows = 10;
constexpr std::string_view scaled_columns =
    "; columns scaled to mean 0 and deviation 1 of those that train (split rows)";

std::string_view kept_name(const std::string& name) {
  static std::mutex mutex;
  static std::deque<std::string> all;
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::find(all, name);
  return found != all.end() ? *found : all.emplace_back(name);
}

void refuse_archive(const DataFile& file) {
  if (!file.bytes.starts_with("PK\x03\x04")) return;
  throw Error(fmt::format("{} is an archive, as .npz; save one array with numpy.save", file.name));
}

// As a class, 0 .. most_label.
int label_of(float value, std::int64_t row, const std::string& file) {
  if (value >= 0 && value <= most_label && std::floor(value) == value) {
    return static_cast<int>(value);
  }
  throw Error(fmt::format("{} row {}: its label is {:g}; expected a whole number from 0 to {}",
                          file, row + 1, value, text_with_commas(most_label)));
}

// Mean 0 and deviation 1 of each column, as its training rows have them: those that test are not
// known before (split rows). A column that is constant there becomes 0.
void standardise(Dataset& set) {
  const auto width = static_cast<std::size_t>(set.features());
  const auto rows = static_cast<std::size_t>(set.training_rows);
  for (std::size_t column = 0; column < width; ++column) {
    const auto at = [&](std::size_t row) -> float& { return set.values[row * width + column]; };
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += at(row);
    const double mean = sum / static_cast<double>(rows);
    double squares = 0;
    for (std::size_t row = 0; row < rows; ++row) squares += std::pow(at(row) - mean, 2);
    const double deviation = std::sqrt(squares / static_cast<double>(rows));
    for (std::size_t row = 0; row < set.values.size() / width; ++row) {
      at(row) = deviation > 0 ? static_cast<float>((at(row) - mean) / deviation) : 0;
    }
  }
}

// Bytes to 0..1; other numbers by the largest of them.
std::string scale_images(Dataset& set, bool bytes) {
  float largest = bytes ? 255 : 0;
  for (const float value : set.values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return "all of them 0";
  for (float& value : set.values) value /= largest;
  if (bytes) set.byte_scale = largest;
  return fmt::format("divided by {:g}", largest);
}

// Files are often sorted by class.
void shuffle_rows(Dataset& set) {
  const auto width = static_cast<std::size_t>(set.features());
  const std::vector<float> values = std::move(set.values);
  const std::vector<int> labels = std::move(set.labels);
  set.values.clear();
  set.labels.clear();
  set.values.reserve(values.size());
  set.labels.reserve(labels.size());
  for (const std::int64_t row : permutation(std::ssize(labels), Random(7))) {
    const auto at = static_cast<std::size_t>(row);
    set.labels.push_back(labels[at]);
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(at * width);
    set.values.insert(set.values.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
}

void finish(OwnData& own, const std::string& file) {
  Dataset& set = own.set;
  if (set.rows() < fewest_rows) {
    throw Error(fmt::format("{}: {}, too few to train and to test; give {} at least", file,
                            count_with(set.rows(), "row"), fewest_rows));
  }
  if (set.classes < 2) {
    throw Error(fmt::format("{}: all rows are of one class; there is nothing to learn", file));
  }
  set.name = kept_name(file);
  set.training_rows = set.rows() * 4 / 5;
  if (set.dtype == DType::s32) {
    set.row_name = "tokens";  // the end of a text tests what its beginning taught
    return;
  }
  set.row_name = "rows";
  shuffle_rows(set);
}

std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t most = 4;
  if (words.size() <= most) return fmt::format("{}", fmt::join(words, ", "));
  return fmt::format("{}, {} ... {}", words[0], words[1], words.back());
}

OwnData data_of_table(const DataFile& file) {
  NumberTable table = parse_table(file.bytes, file.name);
  const auto width = static_cast<std::int64_t>(table.columns.size());
  OwnData own;
  own.found =
      fmt::format("{} rows of {} ({}), {} classes ({}) in {}", text_with_commas(table.rows()),
                  count_with(width, "column"), some_of(table.columns), table.classes.size(),
                  some_of(table.classes), table.label_column);
  own.found += scaled_columns;
  own.set.views = {{Input::numbers, {width}}};
  own.set.classes = std::ssize(table.classes);
  own.set.values = std::move(table.values);
  own.set.labels = std::move(table.labels);
  finish(own, file.name);
  standardise(own.set);
  return own;
}

// How rows of such extents can be read.
std::vector<Dataset::View> views_of(const std::vector<std::int64_t>& extents) {
  std::int64_t all = 1;
  for (std::size_t axis = 1; axis < extents.size(); ++axis) all *= extents[axis];
  if (extents.size() <= 2) return {{Input::numbers, {all}}};
  const std::int64_t height = extents[1];
  const std::int64_t width = extents[2];
  const std::int64_t channels = extents.size() == 4 ? extents[3] : 1;
  return {{Input::numbers, {all}},
          {Input::image, {height, width, channels}},
          {Input::sequence, {height, width * channels}}};
}

// The last column of a table without labels of its own.
std::vector<int> last_column(NumberArray& array, const std::string& file) {
  const auto width = static_cast<std::size_t>(array.extents.back());
  if (array.extents.size() != 2 || width < 2) {
    throw Error(
        fmt::format("{}: [{}] of {} has no column of classes; name a file of labels too: "
                    "data {},LABELS",
                    file, fmt::join(array.extents, ","), array.type, file));
  }
  std::vector<int> labels;
  std::vector<float> features;
  for (std::size_t at = 0; at < array.values.size(); ++at) {
    if (at % width + 1 < width) {
      features.push_back(array.values[at]);
    } else {
      labels.push_back(label_of(array.values[at], static_cast<std::int64_t>(at / width), file));
    }
  }
  array.values = std::move(features);
  --array.extents.back();
  return labels;
}

std::vector<int> labels_in(const DataFile& file, std::int64_t rows, const std::string& of) {
  refuse_archive(file);
  const NumberArray array = parse_numbers(file.bytes, file.name);
  if (std::ssize(array.values) != rows) {
    throw Error(fmt::format("{} has {} and {} has {}; they must be as many", of,
                            count_with(rows, "row"), file.name,
                            count_with(std::ssize(array.values), "label")));
  }
  std::vector<int> labels;
  for (const float value : array.values) {
    labels.push_back(label_of(value, std::ssize(labels), file.name));
  }
  return labels;
}

// PyTorch's images have their channels first.
void check_channels_are_last(const std::vector<std::int64_t>& extents, const std::string& file) {
  constexpr std::int64_t few = 4;
  if (extents.size() != 4 || extents[3] <= few || (extents[1] != 1 && extents[1] != 3)) return;
  throw Error(
      fmt::format("{}: rows of {} x {} x {} would be {} high, with {} channels, which stand last "
                  "here; save numpy.transpose(x, (0, 2, 3, 1))",
                  file, extents[1], extents[2], extents[3], extents[1], extents[3]));
}

OwnData data_of_arrays(const DataFile& file, const std::optional<DataFile>& labels) {
  NumberArray array = parse_numbers(file.bytes, file.name);
  check_channels_are_last(array.extents, file.name);
  const std::int64_t rows = array.rows();
  OwnData own;
  own.set.labels = labels ? labels_in(*labels, rows, file.name) : last_column(array, file.name);
  own.set.classes = 1 + *std::ranges::max_element(own.set.labels);
  own.set.views = views_of(array.extents);
  const std::vector<std::int64_t> row(array.extents.begin() + 1, array.extents.end());
  own.found = fmt::format("{} rows of {} {}{}, {} classes", text_with_commas(rows), array.type,
                          row.empty() ? "1" : fmt::format("{}", fmt::join(row, " x ")),
                          labels ? "" : " and a class", own.set.classes);
  own.set.values = std::move(array.values);
  const bool images = own.set.views.size() > 1;
  own.found +=
      images ? "; " + scale_images(own.set, array.type == "u8") : std::string(scaled_columns);
  finish(own, file.name);
  if (!images) standardise(own.set);
  return own;
}

OwnData data_of_images(CifarImages images, const DataFile& file) {
  OwnData own;
  own.set.views = views_of({std::ssize(images.labels), 32, 32, 3});
  own.set.classes = images.classes;
  own.set.labels = std::move(images.labels);
  own.set.values = std::move(images.values);
  own.found = fmt::format("{} images of {}: 32 x 32 x 3, {} classes; {}",
                          text_with_commas(std::ssize(own.set.labels)), images.kind, images.classes,
                          scale_images(own.set, true));
  finish(own, file.name);
  return own;
}

OwnData data_of_text(const DataFile& file) {
  if (std::ssize(file.bytes) > most_values) {
    throw Error(fmt::format("{}: more characters than are taken", file.name));
  }
  CharacterRows rows = character_rows(file.bytes);
  OwnData own;
  own.set.views = {{Input::tokens, {character_window}}};
  own.set.dtype = DType::s32;
  own.set.classes = std::ssize(rows.characters);
  own.set.labels_per_row = character_window;
  own.set.values = std::move(rows.values);
  own.set.labels = std::move(rows.labels);
  own.found = fmt::format("{} rows of {} characters, {} kinds; each is asked for the next one",
                          text_with_commas(own.set.rows()), character_window, own.set.classes);
  finish(own, file.name);
  return own;
}

// A table may be called .txt too: then it reads as one.
bool reads_as_table(const DataFile& file) {
  try {
    parse_table(file.bytes, file.name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool called_text(std::string name) {
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  return name.ends_with(".txt") || name.ends_with(".md");
}

}  // namespace

OwnData read_own_data(const DataFile& data, const std::optional<DataFile>& labels) {
  refuse_archive(data);
  // An image of class 0 whose first pixel is black begins with two zeros as well.
  if (begins_as_idx(data.bytes) && !has_idx_type(data.bytes)) {
    if (auto images = read_cifar(data.bytes, data.name)) {
      return data_of_images(std::move(*images), data);
    }
  }
  if (begins_as_npy(data.bytes) || begins_as_idx(data.bytes)) return data_of_arrays(data, labels);
  if (labels) {
    throw Error(
        fmt::format("{} is no .npy or IDX file, so {} cannot be its labels; a table has its "
                    "classes in a column",
                    data.name, labels->name));
  }
  const bool binary = data.bytes.find('\0') != std::string::npos;
  if (binary) {
    if (auto images = read_cifar(data.bytes, data.name)) {
      return data_of_images(std::move(*images), data);
    }
    throw Error(fmt::format(
        "{} is neither CSV nor text, .npy, IDX or CIFAR (3,073 or 3,074 bytes an image)",
        data.name));
  }
  if (called_text(data.name) && !reads_as_table(data)) return data_of_text(data);
  return data_of_table(data);
}

std::string idx_labels_of(const DataFile& data) {
  if (!begins_as_idx(data.bytes)) return {};
  const auto folder = data.name.rfind('/') + 1;  // 0 without one
  std::string labels = data.name.substr(folder);
  const auto images = labels.rfind("images");
  if (images == std::string::npos) return {};
  labels.replace(images, 6, "labels");
  const auto rank = labels.rfind("idx3");
  if (rank != std::string::npos) labels.replace(rank, 4, "idx1");
  return data.name.substr(0, folder) + labels;
}

}  // namespace tpulab
