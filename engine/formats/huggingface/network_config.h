// A network from a Hugging Face config.json: the sizes of a family that is traced here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/workload.h"

namespace tpulab {

struct ConfiguredNetwork {
  TracedNetwork network{};
  std::string kind{};                // its model_type: "llama"
  std::string sizes{};               // "32 layers of 4,096, 32 heads, 8 of keys and values"
  std::int64_t parameters = 0;       // exact: what Transformers counts
  std::vector<std::string> notes{};  // what was read and left out: "no dropout"
};

// `file` is how errors call the text. Throws Error with file, field and what was expected: for a
// model_type that is not known, a field that is not known and may change the network, and for what
// the family does not do.
ConfiguredNetwork read_network_config(std::string_view text, const std::string& file);

}  // namespace tpulab
