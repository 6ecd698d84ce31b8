// Cutting a typed line: what quotes, brackets and comments hold together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/session/settings/settings.h"

namespace tpulab {

// The text before a # that stands outside quotes.
std::string_view without_comment(std::string_view line);
// Whether what stands there goes on in the next line.
bool leaves_brackets_open(std::string_view line);

// The parts between separators outside quotes and brackets, trimmed; empty parts stay.
std::vector<std::string> parts_of(std::string_view text, char separator);

// The words between spaces outside quotes and brackets: {"devices", "[1, 2]"}.
std::vector<std::string> typed_words(std::string_view line);

// "batch=64" at its first `=`; an empty name if there is none outside quotes and brackets.
Assignment name_and_value(std::string_view word);

// "Ada Lovelace" without the quotes it stands in, if it does.
std::string_view unquoted(std::string_view word);

// A value as it is typed behind NAME=, in quotes where it needs some. One with blanks and quotes of
// both kinds cannot be typed: it has double ones around it.
std::string in_quotes_if_needed(std::string_view value);

// A file as a shell would take it: "my report.txt" without its quotes, ~/ in the home folder.
std::string file_named(std::string_view word);
// The lines of pasted text without comments; what stands in quotes or brackets is in one.
std::vector<std::string> split_lines(std::string_view text);

}  // namespace tpulab
