#include "commands/handouts/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands/handouts/bars.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/base/write_file.h"

namespace tpulab {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "<!-- a handout of tpulab: it may be written anew -->";
constexpr std::string_view style =
    "body{font-family:sans-serif;max-width:46em;margin:2em auto;line-height:1.4}"
    "pre{background:#f2f2f2;padding:.6em;overflow-x:auto;font-size:85%}"
    "table{border-collapse:collapse;font-size:90%}td,th{border:1px solid #bbb;padding:.2em .5em;"
    "text-align:left}blockquote{color:#444;border-left:3px solid #bbb;padding-left:1em}";

void check_ending(const fs::path& file) {
  if (file.extension() == ".md" || file.extension() == ".html") return;
  throw Error(fmt::format("a handout is FILE.md or FILE.html, not '{}'", file.string()));
}

// A file of somebody else is not lost by a slip of the finger.
void replace_own(const fs::path& file, const std::string& text) {
  const auto old = read_file_if_there(file);
  if (old && old->find(mark) == std::string::npos) {
    throw Error(
        fmt::format("{} is there already and is no handout; give another name", file.string()));
  }
  write_file(file, text);
}

// Bars of tables and tags are no text; backquotes stay.
std::string in_markdown(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') safe += "&lt;";
    if (c == '|') safe += "\\|";
    if (c != '<' && c != '|') safe += c;
  }
  return safe;
}

std::string table_in_markdown(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const std::string& cell : rows[i]) text += "| " + in_markdown(cell) + " ";
    text += "|\n";
    if (i > 0) continue;
    for (std::size_t cell = 0; cell < rows[i].size(); ++cell) text += "| --- ";
    text += "|\n";
  }
  return text;
}

std::string in_markdown(const HandoutBlock& block, const std::string& figure) {
  switch (block.kind) {
    case HandoutBlock::Kind::heading:
      return "## " + in_markdown(block.text) + "\n";
    case HandoutBlock::Kind::text:
      return in_markdown(block.text) + "\n";
    case HandoutBlock::Kind::quote:
      return "> " + in_markdown(block.text) + "\n";
    case HandoutBlock::Kind::code:
      return fmt::format("````\n{}\n````\n", fmt::join(block.items, "\n"));
    case HandoutBlock::Kind::table:
      return table_in_markdown(block.rows);
    case HandoutBlock::Kind::figure:
      return fmt::format("![figure]({})\n", figure);
    case HandoutBlock::Kind::list:
      break;
  }
  std::string text;
  for (const std::string& item : block.items) text += "- " + in_markdown(item) + "\n";
  return text;
}

std::string table_in_html(const std::vector<std::vector<std::string>>& rows) {
  std::string text = "<table>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view cell_tag = i == 0 ? "th" : "td";
    text += "<tr>";
    for (const std::string& cell : rows[i]) {
      text += fmt::format("<{0}>{1}</{0}>", cell_tag, escaped_for_xml(cell));
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

std::string in_html(const HandoutBlock& block) {
  switch (block.kind) {
    case HandoutBlock::Kind::heading:
      return fmt::format("<h2>{}</h2>\n", escaped_for_xml(block.text));
    case HandoutBlock::Kind::text:
      return fmt::format("<p>{}</p>\n", escaped_for_xml(block.text));
    case HandoutBlock::Kind::quote:
      return fmt::format("<blockquote>{}</blockquote>\n", escaped_for_xml(block.text));
    case HandoutBlock::Kind::code:
      return fmt::format("<pre>{}</pre>\n",
                         escaped_for_xml(fmt::format("{}", fmt::join(block.items, "\n"))));
    case HandoutBlock::Kind::table:
      return table_in_html(block.rows);
    case HandoutBlock::Kind::figure:
      return block.text;
    case HandoutBlock::Kind::list:
      break;
  }
  std::string text = "<ul>\n";
  for (const std::string& item : block.items) text += "<li>" + escaped_for_xml(item) + "</li>\n";
  return text + "</ul>\n";
}

std::vector<std::string> write_markdown(const Document& document, const fs::path& file) {
  std::vector<std::string> files{file.string()};
  std::string text = fmt::format("{}\n\n# {}\n\n", mark, in_markdown(document.title));
  for (const HandoutBlock& block : document.blocks) {
    std::string figure;
    if (block.kind == HandoutBlock::Kind::figure) {
      figure = fmt::format("{}-{}.svg", file.stem().string(), files.size());
      const fs::path beside = file.parent_path() / figure;
      replace_own(beside, fmt::format("{}\n{}", mark, block.text));
      files.push_back(beside.string());
    }
    text += in_markdown(block, figure) + "\n";
  }
  replace_own(file, text);
  return files;
}

}  // namespace

std::vector<std::string> write_document(const Document& document, const fs::path& file) {
  check_ending(file);
  if (file.extension() == ".md") return write_markdown(document, file);
  std::string text = fmt::format(
      "<!DOCTYPE html>\n{}\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>"
      "<style>{}</style></head><body>\n<h1>{}</h1>\n",
      mark, escaped_for_xml(document.title), style, escaped_for_xml(document.title));
  for (const HandoutBlock& block : document.blocks) text += in_html(block);
  replace_own(file, text + "</body></html>\n");
  return {file.string()};
}

fs::path key_file_of(const fs::path& file) {
  check_ending(file);
  return file.parent_path() / (file.stem().string() + "-key" + file.extension().string());
}

}  // namespace tpulab
