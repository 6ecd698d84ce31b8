// A page for paper or the browser: blocks in their order, as Markdown or as HTML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tpulab {

struct HandoutBlock {
  enum class Kind : std::uint8_t { heading, text, quote, code, list, table, figure };
  Kind kind{};
  std::string text{};                            // of a figure its SVG
  std::vector<std::string> items{};              // of a list; of code its lines
  std::vector<std::vector<std::string>> rows{};  // of a table, its heads first
};

struct Document {
  std::string title;
  std::vector<HandoutBlock> blocks;
};

// Writes FILE.md with its figures beside it (FILE-1.svg, ...), or FILE.html with its figures in it.
// Takes the place of what an earlier handout wrote, and of nothing else. Answers the files. Throws
// Error for another ending and for what cannot be written.
std::vector<std::string> write_document(const Document& document,
                                        const std::filesystem::path& file);

// "lesson-key.md" of "lesson.md". Throws Error for an ending that is neither .md nor .html.
std::filesystem::path key_file_of(const std::filesystem::path& file);

}  // namespace tpulab
