// The text of a config.json: one object, checked for what the library would let pass.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace tpulab {

// Whether a text is meant as JSON: its first character says so.
bool begins_as_json(std::string_view text);

// Throws Error with file and line for text that is no JSON, with the field for one that is there
// twice, and for what nests deeper or is longer than any such file. `file` is how errors call it.
nlohmann::json parse_config(std::string_view text, const std::string& file);

}  // namespace tpulab
