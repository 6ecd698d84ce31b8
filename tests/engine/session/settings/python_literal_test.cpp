#include "engine/session/settings/python_literal.h"

#include <gtest/gtest.h>

namespace tpulab::python_literal_test {
namespace {

using Kind = PythonLiteral::Kind;

TEST(PythonLiteral, literals_print_as_python_prints_them) {
  for (const auto& [source, printed] : std::vector<std::pair<std::string_view, std::string>>{
           {"1", "1"},
           {"-3", "-3"},
           {"\"auto\"", "'auto'"},
           {"'it''", ""},
           {"[1,2]", "[1, 2]"},
           {"( 1 , )", "(1,)"},
           {"(1)", "1"},
           {"()", "()"},
           {"[]", "[]"},
           {"None", "None"},
           {"[True, 'x', [2.5]]", "[True, 'x', [2.5]]"},
           {"\"it's\"", "\"it's\""},
           {"'a\\'b'", "\"a'b\""}}) {
    const auto literal = parse_python(source);
    EXPECT_EQ(literal ? repr(*literal) : "", printed) << source;
  }
}

TEST(PythonLiteral, kinds_are_told_apart) {
  EXPECT_EQ(parse_python("1")->kind, Kind::integer);
  EXPECT_EQ(parse_python("1.")->kind, Kind::real);
  EXPECT_EQ(parse_python("1e-3")->kind, Kind::real);
  EXPECT_EQ(parse_python("'1'")->kind, Kind::text);
  EXPECT_EQ(parse_python("True")->kind, Kind::boolean);
  EXPECT_EQ(parse_python("(1,)")->kind, Kind::tuple);
  EXPECT_EQ(type_name(*parse_python("None")), "NoneType");
}

TEST(PythonLiteral, what_is_no_literal_is_nothing) {
  for (const std::string_view source :
       {"", " ", "foo", "[1", "1]", "'open", "1 2", "[1 2]", "f(1)", "-", "inf", "nan", "[,]"}) {
    EXPECT_FALSE(parse_python(source)) << source;
  }
}

TEST(PythonLiteral, digits_may_be_parted_by_underscores) {
  EXPECT_EQ(parse_python("1_000")->integer, 1000);
  EXPECT_EQ(repr(*parse_python("-1_000_000")), "-1000000");
  EXPECT_EQ(repr(*parse_python("1_0.2_5")), "10.25");
  for (const char* const none : {"_1", "1_", "1__0", "1_.5", "1_e5"}) {
    EXPECT_FALSE(parse_python(none)) << none;
  }
}

TEST(PythonLiteral, an_integer_beyond_64_bits_keeps_its_digits) {
  const auto literal = parse_python("123456789012345678901234567890");
  ASSERT_TRUE(literal);
  EXPECT_FALSE(literal->integer);
  EXPECT_EQ(repr(*literal), "123456789012345678901234567890");
}

TEST(PythonLiteral, deep_nesting_is_refused_instead_of_followed) {
  EXPECT_FALSE(parse_python(std::string(100'000, '[')));
}

}  // namespace
}  // namespace tpulab::python_literal_test
