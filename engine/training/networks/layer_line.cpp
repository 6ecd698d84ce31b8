// The one-line language for one's own networks: "conv 16 3x3 relu | maxpool 2 | dense 10".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/training/networks/blocks.h"
#include "engine/training/networks/networks.h"

namespace tpulab {

namespace {

constexpr std::int64_t largest_size = 65'536;

struct Sizes {
  std::int64_t count = 0;   // outputs, window of a pool, heads
  std::int64_t height = 0;  // of a convolution's window
  std::int64_t width = 0;
  std::int64_t stride = 1;
  bool causal = false;  // each position has a label of its own, which the next one shows
};

struct Kind {
  std::string_view name;
  std::string_view usage;
  Input input;  // what it reads where it comes first
  int rank;     // of its input, rows included; 0: any
  Tensor (*build)(Scope&, const std::string& name, Tensor x, const Sizes&);
};

Tensor build_conv(Scope& scope, const std::string& name, Tensor x, const Sizes& sizes) {
  const ConvolutionSizes window{
      .outputs = sizes.count, .height = sizes.height, .width = sizes.width, .stride = sizes.stride};
  return convolution(scope, name, x, window);
}

PoolOptions pool(const Sizes& sizes, Tensor x) {
  if (x.shape()[1] < sizes.count || x.shape()[2] < sizes.count) {
    throw Error("its window is larger than the image");
  }
  return {.window = sizes.count, .stride = sizes.count};
}

Tensor build_attention(Scope& scope, const std::string& name, Tensor x, const Sizes& sizes) {
  if (x.shape().at(-1) % sizes.count != 0) throw Error("its heads do not divide the width");
  return add(x,
             self_attention(scope, name, x,
                            {.heads = sizes.count, .shared = sizes.count, .causal = sizes.causal}));
}

constexpr std::array<Kind, 9> kinds{{
    {"dense", "dense OUTPUTS", Input::numbers, 0,
     [](Scope& scope, const std::string& name, Tensor x, const Sizes& sizes) {
       return dense(scope, name, x.shape().rank() == 4 ? flattened(x) : x, sizes.count);
     }},
    {"conv", "conv CHANNELS HEIGHTxWIDTH [stride N]", Input::image, 4, build_conv},
    {"maxpool", "maxpool N", Input::image, 4,
     [](Scope&, const std::string&, Tensor x, const Sizes& s) {
       return max_pool2d(x, pool(s, x));
     }},
    {"avgpool", "avgpool N", Input::image, 4,
     [](Scope&, const std::string&, Tensor x, const Sizes& s) {
       return average_pool2d(x, pool(s, x));
     }},
    {"batchnorm", "batchnorm", Input::image, 4,
     [](Scope& scope, const std::string& name, Tensor x, const Sizes&) {
       return batch_normalised(scope, name, x);
     }},
    {"layernorm", "layernorm", Input::sequence, 0,
     [](Scope& scope, const std::string& name, Tensor x, const Sizes&) {
       return layer_normalised(scope, name, x);
     }},
    {"attention", "attention HEADS", Input::sequence, 3, build_attention},
    {"embed", "embed WIDTH", Input::tokens, 2,
     [](Scope&, const std::string&, Tensor x, const Sizes&) { return x; }},
    {"flatten", "flatten", Input::numbers, 0,
     [](Scope&, const std::string&, Tensor x, const Sizes&) { return flattened(x); }},
}};

struct Function {
  std::string_view name;
  Tensor (*apply)(Tensor);
};
constexpr std::array<Function, 5> functions{{{"relu", relu},
                                             {"gelu", gelu},
                                             {"silu", silu},
                                             {"tanh", hyperbolic_tangent},
                                             {"sigmoid", sigmoid}}};

struct Layer {
  std::string text;  // as typed
  const Kind* kind = nullptr;
  Sizes sizes;
  std::vector<Tensor (*)(Tensor)> after;
};

std::int64_t size_in(std::string_view word, const Kind& kind) {
  const auto size = number_in<std::int64_t>(word);
  if (size && *size >= 1 && *size <= largest_size) return *size;
  throw Error(
      fmt::format("'{}' is no size from 1 to {}; write {}", word, largest_size, kind.usage));
}

struct NameElsewhere {
  std::string_view torch;
  std::string_view kind;
};
constexpr std::array<NameElsewhere, 8> names_of_pytorch{{{"linear", "dense"},
                                                         {"conv2d", "conv"},
                                                         {"maxpool2d", "maxpool"},
                                                         {"avgpool2d", "avgpool"},
                                                         {"batchnorm1d", "batchnorm"},
                                                         {"batchnorm2d", "batchnorm"},
                                                         {"multiheadattention", "attention"},
                                                         {"embedding", "embed"}}};

void refuse_dropout(std::string_view name) {
  if (name == "dropout") throw Error("a line of layers has no dropout; leave it out");
}

// "nn.Linear(64," is the layer linear.
void refuse_name_of_pytorch(const std::string& word) {
  const std::string plain = lowered(std::string_view(word).substr(0, word.find('(')));
  const std::string_view name =
      plain.starts_with("nn.") ? std::string_view(plain).substr(3) : plain;
  if (const auto* found = find_row(names_of_pytorch, name, &NameElsewhere::torch)) {
    const Kind* kind = find_row(kinds, found->kind, &Kind::name);
    throw Error(fmt::format("'{}' is called {} here; write {}", word, kind->name, kind->usage));
  }
  if (find_row(functions, name, &Function::name) != nullptr && word != name) {
    throw Error(fmt::format("'{}' is called {} here", word, name));
  }
  refuse_dropout(name);
}

[[noreturn]] void refuse_kind(const std::string& word) {
  refuse_name_of_pytorch(word);
  std::vector<std::string> names;
  names.reserve(kinds.size() + functions.size());
  for (const Kind& kind : kinds) names.emplace_back(kind.name);
  for (const Function& function : functions) names.emplace_back(function.name);
  throw Error(fmt::format("there is no layer '{}'; {}there are {}", word, hint_of(word, names),
                          fmt::join(names, ", ")));
}

[[noreturn]] void refuse_function(const std::string& word, const Kind& kind) {
  refuse_dropout(lowered(word));
  std::vector<std::string> names;
  names.reserve(functions.size());
  for (const Function& function : functions) names.emplace_back(function.name);
  throw Error(fmt::format("'{}' is no activation; {}there are {}{}; write {} [ACTIVATION]", word,
                          hint_of(word, names), fmt::join(names, ", "),
                          word == "softmax" ? ", and the loss makes its softmax itself" : "",
                          kind.usage));
}

void read_sizes(std::span<const std::string> words, const Kind& kind, Sizes& sizes) {
  const bool conv = kind.name == "conv";
  const std::size_t wanted = conv ? 2 : std::ranges::count(kind.usage, ' ');
  for (const std::string& word : words.subspan(std::min(wanted, words.size()))) {
    const bool of_sizes = number_in<double>(word) || (conv && word == "stride");
    if (!of_sizes && find_row(functions, word, &Function::name) == nullptr) {
      refuse_function(word, kind);
    }
  }
  if (words.size() != wanted && !(conv && words.size() == 4 && words[2] == "stride")) {
    throw Error(fmt::format("write {}", kind.usage));
  }
  if (wanted > 0) sizes.count = size_in(words[0], kind);
  if (!conv) return;
  const std::vector<std::string> window = split(words[1], 'x');
  if (window.size() != 2) throw Error(fmt::format("write {}", kind.usage));
  sizes.height = size_in(window[0], kind);
  sizes.width = size_in(window[1], kind);
  if (words.size() == 4) sizes.stride = size_in(words[3], kind);
}

Layer read_layer(const std::string& text) {
  Layer layer{.text = text, .sizes = {}, .after = {}};
  std::vector<std::string> words;
  for (std::string& word : split(text, ' ')) {
    if (!word.empty()) words.push_back(std::move(word));
  }
  while (!words.empty()) {
    const Function* function = find_row(functions, words.back(), &Function::name);
    if (function == nullptr) break;
    layer.after.insert(layer.after.begin(), function->apply);
    words.pop_back();
  }
  if (words.empty()) {
    if (layer.after.empty()) throw Error("it is empty; write a layer between two |");
    return layer;
  }
  layer.kind = find_row(kinds, words.front(), &Kind::name);
  if (layer.kind == nullptr) refuse_kind(words.front());
  read_sizes(std::span(words).subspan(1), *layer.kind, layer.sizes);
  return layer;
}

Tensor apply(Scope& scope, const Layer& layer, const std::string& name, Tensor x,
             const Example& example) {
  if (layer.kind != nullptr) {
    if (layer.kind->rank != 0 && layer.kind->rank != x.shape().rank()) {
      throw Error(fmt::format("it reads {}", layer.kind->rank == 4 ? "images [rows,h,w,channels]"
                                             : layer.kind->rank == 3
                                                 ? "rows of [positions,width]"
                                                 : "tokens, so it comes first"));
    }
    if (layer.kind->name == "embed") {
      const Shape table{example.classes, layer.sizes.count};
      x = embedding(scope.parameter(name + ".weight", table, {Initial::Kind::normal, 0.02}), x);
      x = convert(x, scope.compute());
    } else {
      Sizes sizes = layer.sizes;
      sizes.causal = example.labels > 1;
      x = layer.kind->build(scope, name, x, sizes);
    }
  }
  for (Tensor (*function)(Tensor) : layer.after) x = function(x);
  return x;
}

std::string place(std::size_t index, const std::string& text) {
  return fmt::format("layer {} '{}'", index + 1, text);
}

Tensor run(Scope& scope, const std::vector<Layer>& layers, Tensor x, const Example& example) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string before = text_of(x.type().dtype, x.shape());
    try {
      x = apply(scope, layers[i], fmt::format("layer{}", i + 1), x, example);
    } catch (const Error& error) {
      throw Error(fmt::format("{} does not fit its input {}: {}", place(i, layers[i].text), before,
                              error.what()));
    }
  }
  const int rank = example.labels > 1 ? 3 : 2;
  if (x.shape().rank() == rank && x.shape().at(-1) == example.classes) return x;
  if (x.shape().rank() < rank) {
    throw Error(
        fmt::format("{} gives {}, but the data has {} classes for each of {} labels of a row; "
                    "leave flatten out",
                    place(layers.size() - 1, layers.back().text),
                    text_of(x.type().dtype, x.shape()), example.classes, example.labels));
  }
  throw Error(fmt::format("{} gives {}, but the data has {} classes; end with {}dense {}",
                          place(layers.size() - 1, layers.back().text),
                          text_of(x.type().dtype, x.shape()), example.classes,
                          x.shape().rank() > rank ? "flatten | " : "", example.classes));
}

constexpr std::string_view dense_layer = "dense ";

// "dense  10 relu" with other outputs.
std::string dense_with(std::string_view layer, std::int64_t outputs) {
  const std::string_view behind = trimmed(layer.substr(dense_layer.size()));
  return fmt::format("{}{}{}", dense_layer, outputs,
                     behind.substr(std::min(behind.find(' '), behind.size())));
}

}  // namespace

Model layer_line(std::string_view line) {
  std::vector<Layer> layers;
  std::vector<std::string> texts;
  for (const std::string& part : split(line, '|')) {
    texts.emplace_back(trimmed(part));
    try {
      layers.push_back(read_layer(texts.back()));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", place(layers.size(), texts.back()), error.what()));
    }
  }
  const auto first = std::ranges::find_if(layers, [](const Layer& l) { return l.kind != nullptr; });
  return {
      .input = first == layers.end() ? Input::numbers : first->kind->input,
      .name = [name = fmt::format("{}", fmt::join(texts, " | "))](const Example&) { return name; },
      .forward = [layers](Scope& scope, Tensor x,
                          const Example& example) { return run(scope, layers, x, example); }};
}

std::optional<std::string> with_widths(std::string_view line,
                                       std::span<const std::int64_t> widths) {
  std::vector<std::string> layers;
  std::vector<std::string*> dense;
  for (const std::string& part : split(line, '|')) layers.emplace_back(trimmed(part));
  for (std::string& layer : layers) {
    if (layer.starts_with(dense_layer)) dense.push_back(&layer);
  }
  if (dense.size() != widths.size() + 1) return std::nullopt;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    *dense[i] = dense_with(*dense[i], widths[i]);
  }
  return fmt::format("{}", fmt::join(layers, " | "));
}

std::optional<std::string> with_outputs(std::string_view line, std::int64_t outputs) {
  const std::size_t bar = line.rfind('|');
  const std::size_t at = line.find(dense_layer, bar == std::string_view::npos ? 0 : bar + 1);
  if (at == std::string_view::npos) return std::nullopt;
  return fmt::format("{}{}", line.substr(0, at), dense_with(line.substr(at), outputs));
}

}  // namespace tpulab
