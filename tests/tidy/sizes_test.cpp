// Rule: a file has at most 400 lines, a function at most 60.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::sizes_test {
namespace {

constexpr std::size_t most_file_lines = 400;
constexpr std::size_t most_function_lines = 60;

enum class Block { container, function, other };

// What a brace opens, from the text since the statement before it.
Block kind_of(const std::string& head) {
  static const std::regex type_or_namespace(R"(\b(namespace|class|struct|union|enum)\b)");
  const auto parameters_end = head.rfind(')');
  if (parameters_end != std::string::npos) {
    const bool is_value = head.find('=', parameters_end) != std::string::npos;
    return is_value ? Block::other : Block::function;
  }
  return std::regex_search(head, type_or_namespace) ? Block::container : Block::other;
}

// Follows the braces of code without comments and literals; knows functions only where they are
// defined: in a namespace or a class, with their lambdas and local types counted in.
class FunctionScanner {
 public:
  explicit FunctionScanner(const SourceFile& file) : file_(file) {}

  Complaints run() {
    for (const char c : code_only(file_.text)) {
      if (c == '\n') ++line_;
      read(c);
    }
    return std::move(complaints_);
  }

 private:
  void read(char c) {
    if (c == '{') {
      open();
    } else if (c == '}') {
      close();
    } else if (inside_ > 0) {
      return;
    } else if (c == ';') {
      head_.clear();
    } else if (!head_.empty() || (c != ' ' && c != '\n')) {
      if (head_.empty()) head_line_ = line_;
      head_ += c;
    }
  }
  void open() {
    if (inside_ > 0) {
      ++inside_;
      return;
    }
    const Block kind = kind_of(head_);
    is_function_ = kind == Block::function;
    if (kind != Block::container) inside_ = 1;
    head_.clear();
  }
  void close() {
    if (inside_ == 0) {
      head_.clear();
      return;
    }
    if (--inside_ > 0) return;
    const auto lines = line_ - head_line_ + 1;
    if (is_function_ && lines > most_function_lines) {
      complaints_.push_back(
          complaint(file_, head_line_, fmt::format("function of {} lines", lines)));
    }
    head_.clear();
  }

  const SourceFile& file_;
  Complaints complaints_;
  std::string head_;
  std::size_t head_line_ = 1;
  std::size_t line_ = 1;
  int inside_ = 0;  // depth of braces in a function or an initialiser
  bool is_function_ = false;
};

Complaints long_functions(const SourceFile& file) {
  return is_cpp(file) ? FunctionScanner(file).run() : Complaints{};
}

Complaints long_files(const SourceFile& file) {
  const auto lines = lines_of(file.text).size();
  if (!is_cpp(file) || lines <= most_file_lines) return {};
  return {complaint(file, lines, "file of more than 400 lines")};
}

std::string repeated(std::string_view line, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += line;
  return text;
}

TEST(TidySizes, no_file_of_the_tree_exceeds_400_lines) {
  EXPECT_EQ(listed(check_tree(long_files)), "");
}

TEST(TidySizes, no_function_of_the_tree_exceeds_60_lines) {
  EXPECT_EQ(listed(check_tree(long_functions)), "");
}

TEST(TidySizes, a_file_of_401_lines_is_found_and_one_of_400_is_not) {
  EXPECT_EQ(long_files({"tui/a.cpp", repeated("\n", 401)}).size(), 1U);
  EXPECT_TRUE(long_files({"tui/a.cpp", repeated("\n", 400)}).empty());
}

TEST(TidySizes, a_function_of_61_lines_is_found_and_one_of_60_is_not) {
  const auto function = [](int lines) {
    return "namespace a {\nint f() {\n" + repeated("  if (b) { c(); }\n", lines - 2) + "}\n}\n";
  };
  EXPECT_EQ(listed(long_functions({"tui/a.cpp", function(61)})),
            "tui/a.cpp:2: function of 61 lines");
  EXPECT_TRUE(long_functions({"tui/a.cpp", function(60)}).empty());
}

TEST(TidySizes, a_method_with_initialisers_in_braces_is_found) {
  const std::string text = "class A : public B {\n A() : a_{1}, b_(2) {\n" +
                           repeated("x();\n", 70) + " }\n int a_ = 0;\n};\n";
  EXPECT_EQ(listed(long_functions({"tui/a.h", text})), "tui/a.h:2: function of 72 lines");
}

TEST(TidySizes, long_tables_and_classes_are_no_functions) {
  const std::string table = "const Row rows[] = {\n" + repeated("  {1, 2},\n", 90) + "};\n";
  const std::string type = "class A {\n" + repeated("  int f() { return 1; }\n", 90) + "};\n";
  const std::string array =
      "std::array<Row, size()> rows = {\n" + repeated("  {1},\n", 90) + "};\n";
  EXPECT_TRUE(long_functions({"tui/a.cpp", table + type + array}).empty());
}

TEST(TidySizes, braces_in_literals_and_comments_do_not_count) {
  const std::string text =
      "int f() {\n  // {\n  g(\"{\", '{', R\"(})\", U'x', 1'000);\n}\nint h();\n" +
      repeated("int i;\n", 70);
  EXPECT_TRUE(long_functions({"tui/a.cpp", text}).empty());
}

}  // namespace
}  // namespace tpulab::tidy::sizes_test
