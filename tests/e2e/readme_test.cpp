// What the README shows is what the program prints.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/program_output.h"
#include "tests/temporary_folder.h"

namespace tpulab::e2e::readme_test {
namespace {

std::string readme() {
  std::ifstream file(TPULAB_SOURCE_DIR "/README.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Readme, shows_the_forecast_that_the_program_prints) {
  const std::string text = readme();
  const auto begin = text.find("```\nllama3-8b on v6e-16");
  ASSERT_NE(begin, std::string::npos);
  const std::string block = text.substr(begin + 4, text.find("```", begin + 4) - begin - 4);
  const std::string commands =
      "model llama3-8b; slice v6e-16; batch 3; stack jax; precision bf16-mixed; remat full";
  ASSERT_NE(text.find("    " + commands + "\n"), std::string::npos);
  const std::string printed = run("-c '" + commands + "; forecast'").output;
  for (const std::string& line : lines_of(block)) {
    EXPECT_NE(printed.find(line + "\n"), std::string::npos) << line;
  }
}

// The indented lines of "What would change if ...", as far as they are commands.
TEST(Readme, has_only_commands_that_work) {
  const std::string text = readme();
  const auto begin = text.find("## What would change if");
  const std::string part = text.substr(begin, text.find("A forecast says", begin) - begin);
  std::string commands;
  for (const std::string& line : lines_of(part)) {
    if (!line.starts_with("    ")) continue;
    std::string command = line.substr(4, line.find("      ", 4) - 4);  // words may stand behind
    command = command.substr(0, command.find("    "));
    if (command.starts_with("numbers off")) command = "numbers off; run max_steps=3";
    if (command == "model step.mlir") {
      command = "model " TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/mlp_step.mlir";
    }
    if (command == "model step.hlo") {
      command = "slice v5e-4; model " TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo";
    }
    if (command == "model config.json") {
      command = "model " TPULAB_SOURCE_DIR "/tests/engine/formats/huggingface/gpt2.json";
    }
    commands += (commands.empty() ? "" : "; ") + command;
  }
  const Outcome outcome = run("-c '" + commands + "'");
  EXPECT_EQ(outcome.exit_code, 0) << commands << "\n" << outcome.output;
}

// The lines of shell as they stand, but for their comments.
TEST(Readme, has_shards_that_are_the_whole_sweep) {
  const std::string text = readme();
  const auto begin = text.find("    export points=");
  ASSERT_NE(begin, std::string::npos);
  const test::TemporaryFolder folder;
  const std::string home = folder.path().string();
  std::string script = "tpulab() { HOME=" + home + " XDG_CONFIG_HOME=" + home +
                       " XDG_CONFIG_DIRS=" + home + " " TPULAB_BINARY " \"$@\"; }\ncd " + home +
                       "\n";
  script += text.substr(begin, text.find("\n\n", begin) - begin);
  script += "\ntpulab -c \"sweep $points format csv\" | cmp - all.csv && wc -l < all.csv\n";
  const std::string file = folder.write("script", script).string();
  const Outcome outcome = run("--version >/dev/null", "; bash -e " + file + " 2>&1 </dev/null");
  EXPECT_EQ(outcome.output, "13\n");
  EXPECT_EQ(outcome.exit_code, 0);
}

}  // namespace
}  // namespace tpulab::e2e::readme_test
