// The program as a file: hardened as Debian hardens its own, and with its completion files.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace tpulab::e2e::binary_test {
namespace {

// What `line` prints on standard output.
std::string printed(const std::string& line) {
  std::string text;
  FILE* pipe = ::popen(line.c_str(), "r");
  for (int byte = std::fgetc(pipe); byte != EOF; byte = std::fgetc(pipe)) {
    text += static_cast<char>(byte);
  }
  EXPECT_EQ(::pclose(pipe), 0) << line;
  return text;
}

TEST(Binary, loads_at_any_address_and_seals_what_the_loader_has_filled_in) {
  EXPECT_NE(printed("readelf -hW " TPULAB_BINARY).find("DYN (Position-Independent Executable"),
            std::string::npos);
  const std::string dynamic = printed("readelf -dW " TPULAB_BINARY);
  EXPECT_NE(dynamic.find("PIE"), std::string::npos);
  EXPECT_NE(dynamic.find("BIND_NOW"), std::string::npos);
  EXPECT_NE(printed("readelf -lW " TPULAB_BINARY).find("GNU_RELRO"), std::string::npos);
}

TEST(Binary, notices_overruns_of_its_stack) {
  const std::string symbols = printed("readelf --dyn-syms -W " TPULAB_BINARY);
  EXPECT_NE(symbols.find("__stack_chk_fail"), std::string::npos);
#ifdef NDEBUG
  EXPECT_NE(symbols.find("_chk@"), std::string::npos);  // checked forms of the C library's
#endif
}

TEST(Binary, prints_completions_of_its_own_options_and_their_values) {
  const std::string bash = printed(TPULAB_BINARY " --completion bash");
  EXPECT_NE(bash.find("--color) words='auto never 16 256 truecolor' ;;"), std::string::npos)
      << bash;
  EXPECT_NE(bash.find("--no-run"), std::string::npos);
  EXPECT_NE(bash.find(" validate"), std::string::npos);
  EXPECT_NE(printed(TPULAB_BINARY " --completion fish").find("-l theme -x -a '"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::e2e::binary_test
