// Several processes that train one run, as mpirun starts them. Built with TPULAB_MPI alone.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "tests/e2e/program_output.h"
#include "tests/e2e/terminal_emulator.h"
#include "tests/temporary_folder.h"

namespace tpulab::e2e::mpirun_test {
namespace {

Outcome mpirun(int processes, const std::string& arguments, const std::string& folder = ".") {
  return run("--no-history " + arguments, "2>&1 </dev/null",
             "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 env -C " + folder +
                 " mpirun --oversubscribe -n " + std::to_string(processes));
}

// As the last reply has it, with all its digits.
std::string last_loss(const std::string& output) {
  const std::regex loss("\"event\":\"summary\".*\"loss\":([0-9.e-]+)");
  std::smatch found;
  return std::regex_search(output, found, loss) ? found[1].str() : "";
}

TEST(Mpirun, trains_the_same_bits_in_any_number_of_processes) {
  const std::string commands = "-c 'slice v3-32; hidden 64; batch 8; max_steps 8; run'";
  const std::string one =
      last_loss(run("--no-history --json -c 'replicas separate; slice v3-32; hidden 64; batch 8; "
                    "max_steps 8; run'")
                    .output);
  ASSERT_NE(one, "");
  for (const int processes : {1, 2, 4}) {
    const Outcome outcome = mpirun(processes, "--json " + commands);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_EQ(last_loss(outcome.output), one) << outcome.output;
  }
}

TEST(Mpirun, does_what_the_readme_says) {
  const test::TemporaryFolder folder;
  std::ifstream file(TPULAB_SOURCE_DIR "/README.md");
  const std::string readme{std::istreambuf_iterator<char>(file), {}};
  const std::string commands =
      "slice v3-32; batch 8; checkpoint kept.safetensors every 20; run max_epochs=5";
  ASSERT_NE(readme.find("mpirun -n 4 build/mpi/tpulab -c \"" + commands + "\""), std::string::npos);
  const Outcome outcome = mpirun(4, "-c '" + commands + "'", folder.path().string());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("4 processes compute 8 cores each"), std::string::npos);
  const std::string kept = (folder / "kept.safetensors").string();
  EXPECT_EQ(run("--no-history -c 'resume " + kept + "'").exit_code, 0);
}

TEST(Mpirun, a_wrong_command_ends_all_of_them) {
  const Outcome outcome = mpirun(2, "-c 'batch none'");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("batch"), std::string::npos);
}

TEST(Mpirun, of_a_process_that_dies_the_first_one_tells_and_its_checkpoint_goes_on) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "kept.safetensors").string();
  const std::string run_both =
      "-c 'checkpoint " + file + " every 5; " + "run max_epochs=100000' 2>&1 </dev/null & ";
  const std::string wait_for_file =
      "for i in $(seq 400); do [ -e " + file + " ] && break; sleep 0.05; done; ";
  const std::string kill_the_last = "pkill -9 -n -f '^[^ ]*/tpulab .*" + file + "'; wait; true";
  const Outcome outcome = mpirun(2, run_both + wait_for_file + kill_the_last);
  EXPECT_NE(outcome.output.find("another of the processes died"), std::string::npos)
      << outcome.output;
  const Outcome resumed = run("--no-history -c 'resume " + file + " max_steps=400'");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.output;
  EXPECT_NE(resumed.output.find("400 steps"), std::string::npos) << resumed.output;
}

TEST(Mpirun, shows_the_dashboard_on_the_terminal_that_it_was_started_from) {
  const FreshHome home;
  const std::string command = std::string("exec mpirun --oversubscribe --stdin none -n 2 ") +
                              TPULAB_BINARY + " --tty --no-run";
  TerminalEmulator terminal(home, {.command = {"/bin/sh", "-c", command},
                                   .environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                   {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}}});
  ASSERT_TRUE(terminal.until_shows("tpulab:v3-8>")) << terminal.text();
  terminal.type("run max_steps=7\r");
  EXPECT_TRUE(terminal.until_shows("kept as 1;")) << terminal.text();
  terminal.type("quit\r");
  EXPECT_EQ(terminal.wait_for_exit(), 0);
}

}  // namespace
}  // namespace tpulab::e2e::mpirun_test
