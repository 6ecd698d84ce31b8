#include "engine/formats/stablehlo/source_lines.h"

#include <algorithm>
#include <charconv>

#include "engine/formats/imported_step.h"

namespace tpulab::stablehlo {

namespace {

constexpr int deepest_place = 32;

// Of `"train.py":42:8`; 0 if no number stands there.
std::int64_t line_behind(std::string_view text) {
  std::int64_t line = 0;
  if (text.starts_with(':')) std::from_chars(text.data() + 1, text.data() + text.size(), line);
  return line;
}

}  // namespace

SourceLines::SourceLines(const Module& module)
    : aliases_(module.aliases.begin(), module.aliases.end()) {}

const std::string& SourceLines::of(const Operation& operation) { return of(operation.location, 0); }

// `"jit(step)/dot"(#loc3)`, `callsite(#loc4 at #loc5)`, `"train.py":42:8`, from left to right.
const std::string& SourceLines::of(std::string_view location, int depth) {
  const auto [found, fresh] = known_.try_emplace(location);
  std::string& place = found->second;
  if (!fresh || depth > deepest_place) return place;
  for (std::size_t at = 0; at < location.size() && place.empty();) {
    const std::string_view rest = location.substr(at);
    const std::size_t quoted = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (quoted != std::string_view::npos) {
      place = text_of_place(rest.substr(1, quoted - 1), line_behind(rest.substr(quoted + 1)));
      at += quoted + 1;
    } else if (rest.starts_with('#')) {
      const std::size_t word = std::min(rest.find_first_of(" ),]", 1), rest.size());
      const auto alias = aliases_.find(rest.substr(1, word - 1));
      if (alias != aliases_.end()) place = of(alias->second, depth + 1);
      at += word;
    } else {
      ++at;
    }
  }
  return place;
}

}  // namespace tpulab::stablehlo
