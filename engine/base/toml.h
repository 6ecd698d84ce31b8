// TOML for everybody who reads it: themes, points, the configuration.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "engine/base/error.h"

namespace tpulab {

// Throws Error as toml_error() makes it; also for text that nests deeper than the library can
// follow. `name` says in errors where the text is from.
toml::table parse_toml(std::string_view text, const std::string& name);

// "NAME:LINE: what".
Error toml_error(const std::string& name, const toml::source_region& where, std::string_view what);

}  // namespace tpulab
