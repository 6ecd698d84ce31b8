#include "tests/tidy/source_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tpulab::tidy {
namespace {

namespace fs = std::filesystem;

bool is_ours(const fs::path& path) {
  const std::string name = path.filename().string();
  return name != "build" && !name.starts_with('.');
}

std::vector<SourceFile> read_tree() {
  const fs::path root = TPULAB_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    if (!is_ours(entry->path())) {
      if (entry->is_directory()) entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file()) continue;
    std::ifstream stream(entry->path(), std::ios::binary);
    files.push_back({fs::relative(entry->path(), root).generic_string(),
                     std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

// Walks C++ text once and keeps only what is code.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  bool looking_at(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void keep() { out_ += text_[at_++]; }
  void blank() {
    out_ += text_[at_] == '\n' ? '\n' : ' ';
    ++at_;
  }
  void blank_to(std::size_t end) {
    end = std::min(end, text_.size());
    while (at_ < end) blank();
  }

  void step() {
    if (looking_at("//")) {
      blank_to(text_.find('\n', at_));
    } else if (looking_at("/*")) {
      blank_past("*/", at_ + 2);
    } else if (looking_at("R\"")) {
      const auto open = text_.find('(', at_);
      const std::string close = fmt::format("){}\"", text_.substr(at_ + 2, open - at_ - 2));
      blank_past(close, open);
    } else if (text_[at_] == '"') {
      blank_literal('"');
    } else if (text_[at_] == '\'' && !is_digit_separator()) {
      blank_literal('\'');
    } else if (text_[at_] == '#' && is_first_of_line()) {
      blank_directive();
    } else {
      keep();
    }
  }

  void blank_past(std::string_view close, std::size_t from) {
    const auto found = text_.find(close, from);
    blank_to(found == std::string_view::npos ? found : found + close.size());
  }
  void blank_literal(char quote) {
    blank();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\') blank();
      if (at_ < text_.size()) blank();
    }
    if (at_ < text_.size()) blank();
  }
  void blank_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (looking_at("\\\n")) blank();
      blank();
    }
  }
  // 1'000 but not U'x': what stands before the quote begins with a digit.
  bool is_digit_separator() const {
    auto start = at_;
    while (start > 0 && (is_word(text_[start - 1]) || text_[start - 1] == '\'')) --start;
    return start < at_ && std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
  }
  static bool is_word(char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  }
  bool is_first_of_line() const {
    const auto line = out_.rfind('\n') + 1;  // npos + 1 is 0
    return out_.find_first_not_of(' ', line) == std::string::npos;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

const std::vector<SourceFile>& source_tree() {
  static const auto files = read_tree();
  return files;
}

bool is_header(const SourceFile& file) { return file.path.ends_with(".h"); }
bool is_cpp(const SourceFile& file) { return is_header(file) || file.path.ends_with(".cpp"); }

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string code_only(std::string_view text) { return Blanker(text).run(); }

std::string complaint(const SourceFile& file, std::size_t line, std::string_view what) {
  return fmt::format("{}:{}: {}", file.path, line, what);
}

Complaints check_tree(Rule rule) {
  Complaints all;
  for (const auto& file : source_tree()) std::ranges::copy(rule(file), std::back_inserter(all));
  return all;
}

std::string listed(const Complaints& complaints) {
  return fmt::format("{}", fmt::join(complaints, "\n"));
}

}  // namespace tpulab::tidy
