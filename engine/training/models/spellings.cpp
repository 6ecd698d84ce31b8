// Other spellings of published runs.
#include <array>

#include "engine/base/text.h"
#include "engine/training/models/models.h"

namespace tpulab {

namespace {

// Small letters; "ResNet-50" is "resnet50", "Llama_3.1-8B" is "llama3.1-8b".
std::string plain_name(std::string_view typed) {
  std::string name;
  const std::string small = lowered(typed);
  for (std::size_t i = 0; i < small.size(); ++i) {
    const bool parts = small[i] == '-' || small[i] == '_' || small[i] == ' ';
    const bool number_next = i + 1 < small.size() && is_digit(small[i + 1]);
    // A number belongs to the family's name, unless it is a size in billions or a width.
    if (parts && number_next && (name == "resnet" || name == "llama" || name == "gpt")) continue;
    name += parts ? '-' : small[i];
  }
  return name;
}

}  // namespace

std::string usual_name(std::string_view typed) {
  struct Spelling {
    std::string_view other;
    std::string_view usual;
  };
  static constexpr std::array<Spelling, 33> spellings{{{"vit-b-16", "vit-b16"},
                                                       {"vit-base", "vit-b16"},
                                                       {"mlp-mixer", "mlp-mixer-b16"},
                                                       {"mixer-b16", "mlp-mixer-b16"},
                                                       {"ssd-r34", "ssd"},
                                                       {"mlperf-gnmt", "gnmt"},
                                                       {"ssd-resnet34", "ssd"},
                                                       {"vit-l-16", "vit-l16"},
                                                       {"vit-large", "vit-l16"},
                                                       {"llama3.1-8b", "llama3-8b"},
                                                       {"llama3.1-70b", "llama3-70b"},
                                                       {"llama3.1-405b", "llama3-405b"},
                                                       {"llama3.3-70b", "llama3-70b"},
                                                       {"llama-8b", "llama3-8b"},
                                                       {"gpt3", "gpt3-175b"},
                                                       {"gptj", "gpt-j-6b"},
                                                       {"gpt-j", "gpt-j-6b"},
                                                       {"gptj-6b", "gpt-j-6b"},
                                                       {"gpt-j6b", "gpt-j-6b"},
                                                       {"palm", "palm-540b"},
                                                       {"mistral", "mistral-7b"},
                                                       {"bert", "bert-base"},
                                                       {"bert-large-lamb", "bert-large"},
                                                       {"bert-large-512", "bert-large"},
                                                       {"bert-large-128", "bert-large"},
                                                       {"roberta-base-mlm", "roberta-base"},
                                                       {"roberta", "roberta-base"},
                                                       {"transformer", "mlperf-transformer"},
                                                       {"transformer-big", "mlperf-transformer"},
                                                       {"resnet50-v1.5", "resnet50"},
                                                       {"resnet50v1.5", "resnet50"},
                                                       {"mnist", "mnist-cnn"},
                                                       {"transformer-lm-6x512", "transformer-lm"}}};
  std::string name = plain_name(typed);
  for (const std::string_view start : {"maxtext-", "mlperf-gpt", "mlperf-bert", "mlperf-resnet"}) {
    if (name.starts_with(start)) name.erase(0, start == "maxtext-" ? 8 : 7);
  }
  // Tasks of GLUE differ in their rows.
  for (const std::string_view start : {"bert-base-glue", "bert-large-glue"}) {
    if (name.starts_with(start)) return std::string(start);
  }
  for (const Spelling& row : spellings) {
    if (row.other == name) return std::string(row.usual);
  }
  return name;
}

}  // namespace tpulab
