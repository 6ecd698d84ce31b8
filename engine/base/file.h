// The one way in for files: themes, points, scripts, the configuration. Only the history, whose end
// alone is wanted however long it is, is read by tui/prompt/history.cpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace tpulab {

inline constexpr std::size_t largest_file_bytes = std::size_t{16} << 20;
inline constexpr std::size_t longest_line_bytes = std::size_t{1} << 20;

// Whether a word is meant as a file and not as a name: it has a dot or a slash.
bool means_a_file(std::string_view word);

// The whole text of a regular file of at most `most_bytes`, without a byte order mark. Never waits
// for somebody else, as reading a pipe would. Throws Error, which names the file.
std::string read_file(const std::filesystem::path& path,
                      std::size_t most_bytes = largest_file_bytes);
// The same; nothing if there is no such file.
std::optional<std::string> read_file_if_there(const std::filesystem::path& path,
                                              std::size_t most_bytes = largest_file_bytes);
// What comes by standard input until its end; waits for it. Throws Error beyond largest_file_bytes.
std::string read_standard_input();

// The next line, without its end; false after the last one. Throws Error for a line above
// longest_line_bytes and if standard input cannot be read.
bool next_line(std::istream& in, std::string& line);

// The text behind the mark U+FEFF with which some editors begin a file.
std::string_view without_byte_order_mark(std::string_view text);

}  // namespace tpulab
