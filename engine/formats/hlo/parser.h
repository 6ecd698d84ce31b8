// HLO text -> Module.
#pragma once

#include <string>
#include <string_view>

#include "engine/formats/hlo/module.h"

namespace tpulab::hlo {

// Whether a text is HLO, by its first word.
bool is_hlo(std::string_view text);
// `file` is how errors call the text. Throws Error with file and line.
Module parse(std::string text, const std::string& file);

}  // namespace tpulab::hlo
