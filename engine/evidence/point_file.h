// Walks the entries of a points file: [[point]], [[points]], points = [...], in [[group]] or
// outside.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "engine/evidence/point_entry.h"

namespace tpulab {

// Calls `read` for every entry. `file` names the text in errors. Throws Error with file and line
// for bad TOML, another form, no entry at all, an id that comes twice.
void for_each_entry(std::string_view text, const std::string& file,
                    const std::function<void(const PointEntry&)>& read);

}  // namespace tpulab
