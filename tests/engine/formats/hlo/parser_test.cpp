#include "engine/formats/hlo/parser.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"

namespace tpulab::parser_test {
namespace {

constexpr std::string_view head =
    "HloModule m, is_scheduled=true\n\n\nENTRY %main (p: f32[8]) -> f32[8] {\n"
    "  %p = f32[8]{0} parameter(0)\n";

std::string refusal_of(const std::string& text) {
  try {
    hlo::parse(text, "m.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

// What it does not know would be priced as nothing.
TEST(HloParser, refuses_what_is_no_operation_or_is_cut_short) {
  const auto inside = [](const std::string& line) {
    return refusal_of(std::string(head) + line + "}\n");
  };
  EXPECT_NE(inside("  ROOT %q = f32[8]{0} all-reducee(%p)\n")
                .find("m.txt:6: 'all-reducee' is no operation of HLO; 'all-reduce' is"),
            std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[8]{0} copy(%o)\n")
                .find("m.txt:6: q reads 'o', which 'main' does not make"),
            std::string::npos);
  EXPECT_NE(inside("  %q = f32[8]{0} copy(%p)\n").find("'main' has no ROOT"), std::string::npos);
  const std::string whole = read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo");
  EXPECT_EQ(refusal_of(whole), "read");
  for (std::size_t end = whole.find('\n', whole.find("ENTRY")); end + 3 < whole.size();
       end = whole.find('\n', end + 1)) {
    EXPECT_NE(refusal_of(whole.substr(0, end + 1)).find("the text is cut short"), std::string::npos)
        << whole.substr(0, end);
  }
}

TEST(HloParser, refuses_what_was_compiled_for_a_laptop) {
  const auto made = [](const std::string& layout) {
    const std::string array = "f32[8]" + layout;
    return refusal_of("HloModule jit_f, is_scheduled=true, entry_computation_layout={(" + array +
                      ")->" + array + "}\n\nENTRY %main (p: f32[8]) -> f32[8] {\n  %p = " + array +
                      " parameter(0)\n  ROOT %q = " + array + " copy(%p)\n}\n");
  };
  EXPECT_NE(made("{0}").find("not compiled for a TPU"), std::string::npos);
  EXPECT_EQ(made("{0:T(256)}"), "read");
}

TEST(HloParser, refuses_a_transpose_that_makes_another_shape_with_its_line) {
  const auto moved = [](const std::string& made, const std::string& axes) {
    return refusal_of(std::string(head) + "  %a = f32[4,32]{1,0} broadcast(%p)\n  ROOT %t = " +
                      made + " transpose(%a), dimensions=" + axes + "\n}\n");
  };
  EXPECT_EQ(moved("f32[32,4]{1,0}", "{1,0}"), "read");
  EXPECT_EQ(moved("f32[4,32]{1,0}", "{0,1}"), "read");
  for (const std::string axes : {"1,1", "0,1", "1", "1,2", "-1,0", "1,0,2"}) {
    EXPECT_EQ(moved("f32[32,4]{1,0}", "{" + axes + "}"),
              "m.txt:7: t: axes " + axes + " of [4,32] make no [32,4]");
  }
  EXPECT_NE(moved("f32[32,4,1]{2,1,0}", "{1,0}"), "read");
}

TEST(HloParser, refuses_f64) {
  EXPECT_NE(refusal_of(std::string(head) + "  ROOT %q = f64[8]{0} convert(%p)\n}\n")
                .find("m.txt:6: f64 is no type that a TPU is priced with"),
            std::string::npos);
}

TEST(HloParser, reads_line_ends_of_windows) {
  std::string text = read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo");
  const hlo::Module as_it_was = hlo::parse(text, "m.txt");
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) {
    text.insert(at, 1, '\r');
  }
  const hlo::Module read = hlo::parse(text, "m.txt");
  ASSERT_TRUE(read.computations.contains(read.entry));
  EXPECT_EQ(read.text, as_it_was.text);
}

}  // namespace
}  // namespace tpulab::parser_test
