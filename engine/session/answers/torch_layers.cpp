#include "engine/session/answers/torch_layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace tpulab {

namespace {

struct Activation {
  std::string_view name;
  std::string_view module;
};
constexpr std::array<Activation, 5> activations{{{"relu", "nn.ReLU()"},
                                                 {"gelu", "nn.GELU(approximate=\"tanh\")"},
                                                 {"silu", "nn.SiLU()"},
                                                 {"tanh", "nn.Tanh()"},
                                                 {"sigmoid", "nn.Sigmoid()"}}};

class Modules {
 public:
  explicit Modules(const Dataset& data) : data_(data), width_(data.features()) {}

  void add(std::string_view text) {
    std::vector<std::string_view> words = words_in(text);
    std::erase_if(words, [](std::string_view word) { return word.empty(); });
    std::size_t behind = 0;
    if (find_row(activations, words.front(), &Activation::name) == nullptr) {
      add_layer(words, text);
      behind = 1;
    }
    for (const std::string_view word : std::span(words).subspan(behind)) {
      if (const Activation* found = find_row(activations, word, &Activation::name)) {
        all_.emplace_back(found->module);
      }
    }
  }

  std::string text() const { return fmt::format("{}", fmt::join(all_, ", ")); }

 private:
  void add_layer(const std::vector<std::string_view>& words, std::string_view text) {
    const std::string_view kind = words.front();
    if (kind == "dense") {
      flatten();
      const std::int64_t outputs = number(words[1]);
      all_.push_back(fmt::format("nn.Linear({}, {})", width_, outputs));
      width_ = outputs;
      of_numbers_ = true;
    } else if (kind == "conv") {
      convolve(words);
    } else if (kind == "maxpool" || kind == "avgpool") {
      pool(kind == "maxpool" ? "Max" : "Avg", number(words[1]));
    } else if (kind == "batchnorm") {
      all_.push_back(fmt::format("nn.BatchNorm2d({})", image().channels));
    } else if (kind == "layernorm" && of_numbers_) {
      all_.push_back(fmt::format("nn.LayerNorm({})", width_));
    } else if (kind == "flatten") {
      flatten();
    } else {
      throw Error(fmt::format(
          "the script has no words for the layer '{}'; it has some for dense, conv, pools, "
          "batchnorm, flatten and layernorm behind dense",
          text));
    }
  }

  struct Image {
    std::int64_t channels = 0;
    std::int64_t height = 0;
    std::int64_t width = 0;
  };

  // Rows of numbers become images where the first layer reads them.
  Image image() {
    if (height_ == 0) {
      const Shape row = data_.example(Input::image).row;
      expects(row[2] == 1, "grey images are rows of numbers in PyTorch's order, too");
      channels_ = 1;
      height_ = row[0];
      width_ = row[1];
      all_.push_back(fmt::format("nn.Unflatten(1, (1, {}, {}))", height_, width_));
    }
    return {channels_, height_, width_};
  }

  void flatten() {
    if (height_ == 0) return;
    all_.emplace_back("nn.Flatten()");
    of_numbers_ = true;
    width_ *= height_ * channels_;
    height_ = 0;
  }

  void convolve(const std::vector<std::string_view>& words) {
    const Image from = image();
    const std::vector<std::string> window = split(words[2], 'x');
    const std::int64_t high = number(window[0]);
    const std::int64_t wide = number(window[1]);
    const std::int64_t stride = words.size() > 4 && words[3] == "stride" ? number(words[4]) : 1;
    if (stride > 1 && (high % 2 == 0 || wide % 2 == 0)) {
      throw Error(
          fmt::format("the script has no words for a window of {}x{} that moves by {}; make it odd",
                      high, wide, stride));
    }
    channels_ = number(words[1]);
    const std::string padding =
        stride > 1 ? fmt::format("({}, {})", high / 2, wide / 2) : "\"same\"";
    all_.push_back(fmt::format("nn.Conv2d({}, {}, ({}, {}), stride={}, padding={})", from.channels,
                               channels_, high, wide, stride, padding));
    height_ = (from.height + stride - 1) / stride;
    width_ = (from.width + stride - 1) / stride;
  }

  void pool(std::string_view kind, std::int64_t window) {
    const Image from = image();
    all_.push_back(fmt::format("nn.{}Pool2d({})", kind, window));
    height_ = from.height / window;
    width_ = from.width / window;
  }

  static std::int64_t number(std::string_view word) {
    return number_in<std::int64_t>(word).value_or(0);  // the line was read as a model before
  }

  const Dataset& data_;
  std::vector<std::string> all_;
  std::int64_t channels_ = 0;
  std::int64_t height_ = 0;  // 0: rows of numbers
  std::int64_t width_ = 0;   // of them, or of an image
  bool of_numbers_ = false;  // a layer has made them: a norm that comes first reads sequences
};

}  // namespace

std::string torch_layers(std::string_view line, const Dataset& data) {
  Modules modules(data);
  for (const std::string& layer : split(line, '|')) modules.add(trimmed(layer));
  return modules.text();
}

}  // namespace tpulab
