// Walks the entries of a points file: [[point]], [[points]], points = [...], in [[group]] or
// outside.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/embedded.h"
#include "engine/evidence/point_entry.h"

namespace tpulab {

// Calls `read` for every entry. `file` names the text in errors. Throws Error with file and line
// for bad TOML, another form, no entry at all, an id that comes twice.
void for_each_entry(std::string_view text, const std::string& file,
                    const std::function<void(const PointEntry&)>& read);

// The points of all files, as parse() reads the text of one.
template <class Parse>
auto points_in(std::span<const EmbeddedFile> files, const Parse& parse) {
  decltype(parse({}, {})) all;
  for (const EmbeddedFile& file : files) {
    std::ranges::move(parse(file.text, std::string(file.name)), std::back_inserter(all));
  }
  return all;
}

}  // namespace tpulab
