// Rule: a room includes only the rooms and libraries that its floor allows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/tidy/source_tree.h"

namespace tpulab::tidy::arrows_test {
namespace {

using Prefixes = std::vector<std::string_view>;

struct Arrow {
  std::string_view from;  // files whose path begins so; the longest match decides
  Prefixes to;            // what they may include from the repository, beside their own room
};

// What a training step is made of.
const Prefixes below_training{"engine/base/", "engine/graph/",    "engine/machine/",
                              "engine/ops/",  "engine/compiler/", "engine/runtime/"};
const Prefixes below_session{"engine/base/",     "engine/graph/",    "engine/machine/",
                             "engine/ops/",      "engine/compiler/", "engine/runtime/",
                             "engine/training/", "engine/formats/",  "engine/forecast/",
                             "engine/evidence/", "engine/gpus/",     "engine/advice/"};

Prefixes with(Prefixes prefixes, const Prefixes& more) {
  prefixes.insert(prefixes.end(), more.begin(), more.end());
  return prefixes;
}

const std::vector<Arrow>& arrows() {
  static const std::vector<Arrow> rows{
      {"engine/base/", {}},
      {"engine/graph/", {"engine/base/"}},
      {"engine/machine/", {"engine/base/"}},
      {"engine/ops/", {"engine/base/", "engine/graph/"}},
      {"engine/compiler/", {"engine/base/", "engine/graph/", "engine/machine/"}},
      {"engine/runtime/", {"engine/base/", "engine/graph/", "engine/machine/", "engine/compiler/"}},
      {"engine/training/", below_training},
      {"engine/formats/",
       {"engine/base/", "engine/graph/", "engine/ops/", "engine/compiler/", "engine/runtime/",
        "engine/training/"}},
      {"engine/forecast/", with(below_training, {"engine/training/"})},
      {"engine/evidence/",
       {"engine/base/", "engine/machine/", "engine/training/", "engine/forecast/"}},
      {"engine/gpus/",
       {"engine/base/", "engine/machine/", "engine/training/", "engine/forecast/",
        "engine/evidence/"}},
      {"engine/advice/",
       {"engine/base/", "engine/machine/", "engine/compiler/", "engine/runtime/"}},
      {"engine/session/settings/", below_session},
      {"engine/session/run/",
       with(below_session, {"engine/session/settings/", "engine/session/snapshot.h"})},
      {"engine/session/answers/",
       with(below_session,
            {"engine/session/settings/", "engine/session/run/", "engine/session/snapshot.h"})},
      {"engine/session/", below_session},
      {"engine/session/request.h", {"engine/base/"}},
      {"engine/session/settings/settings.h", {"engine/base/"}},
      {"engine/session/snapshot.h", {"engine/base/"}},
      {"commands/", {"engine/base/", "engine/session/"}},
      {"tui/",
       {"engine/base/", "engine/session/engine.h", "engine/session/settings/settings.h",
        "engine/session/settings/settings_file.h", "engine/session/snapshot.h",
        "engine/session/answers/priced_program.h", "engine/session/run/run_timeline.h",
        "engine/session/run/ended_runs.h", "engine/session/run/follow.h",
        "engine/evidence/validate.h", "commands/"}},
      {"tui/draw/", {"engine/base/"}},
      {"tui/cores/",
       {"engine/base/", "engine/session/snapshot.h", "engine/session/answers/priced_program.h",
        "tui/draw/", "tui/kernels/padding.h", "tui/panels/panel.h"}},
      {"tui/kernels/",
       {"engine/base/", "engine/session/answers/priced_program.h", "tui/draw/",
        "tui/panels/panel.h"}},
      {"tui/panels/",
       {"engine/base/", "engine/session/snapshot.h", "engine/session/answers/priced_program.h",
        "engine/session/run/ended_runs.h", "tui/draw/", "tui/cores/", "tui/kernels/",
        "tui/timeline/", "tui/screen/output_rows.h"}},
      {"tui/timeline/",
       {"engine/base/", "engine/session/snapshot.h", "engine/session/run/run_timeline.h",
        "engine/session/run/ended_runs.h", "commands/estimate_words.h", "tui/draw/", "tui/kernels/",
        "tui/panels/panel.h"}},
      {"tui/screen/",
       {"engine/base/", "commands/candidate_words.h", "tui/draw/", "tui/cores/",
        "tui/panels/panel.h", "tui/timeline/event_lines.h", "tui/terminal/input.h"}},
      {"tui/terminal/", {"engine/base/", "tui/draw/", "tui/screen/"}},
  };
  return rows;
}

// What must not be included by a file although it lies in its own room.
struct Wall {
  std::string_view from;
  Prefixes never;
};

const std::vector<Wall>& walls() {
  static const std::vector<Wall> rows{
      {"engine/session/request.h", {"engine/session/engine.h"}},
      {"engine/session/settings/settings.h", {"engine/session/engine.h"}},
      {"engine/session/snapshot.h", {"engine/session/engine.h"}},
  };
  return rows;
}

struct Library {
  std::regex header;
  std::string_view only;  // files whose path begins so
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> rows{
      {std::regex("(ncursesw?/)?(n?curses|panel|term|termcap)\\.h"), "tui/terminal/terminal.cpp"},
      {std::regex("readline/.*"), "tui/prompt/prompt.cpp"},
      {std::regex("(unsupported/)?Eigen/.*"), "engine/ops/"},
      {std::regex("sqlite3.*"), "engine/formats/run_store.cpp"},
      {std::regex("(oneapi/.*|dnnl.*)"), "engine/ops/"},
      {std::regex("mpi\\.h"), "engine/base/peers_mpi.cpp"},
  };
  return rows;
}

bool begins_with_one_of(std::string_view path, const Prefixes& prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return path.starts_with(prefix); });
}

const Arrow* arrow_of(std::string_view path) {
  const Arrow* best = nullptr;
  for (const auto& arrow : arrows()) {
    const bool longer = best == nullptr || arrow.from.size() > best->from.size();
    if (path.starts_with(arrow.from) && longer) best = &arrow;
  }
  return best;
}

std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

bool may_include(std::string_view from, std::string_view to) {
  for (const auto& wall : walls()) {
    if (from.starts_with(wall.from) && begins_with_one_of(to, wall.never)) return false;
  }
  const Arrow* arrow = arrow_of(from);
  if (arrow == nullptr) return false;
  const std::string_view room = arrow->from.ends_with('/') ? arrow->from : folder_of(arrow->from);
  return to.starts_with(room) || begins_with_one_of(to, arrow->to);
}

bool may_use_library(std::string_view from, const std::string& header) {
  return std::ranges::none_of(libraries(), [&](const Library& library) {
    return std::regex_match(header, library.header) && !from.starts_with(library.only);
  });
}

bool is_product(const SourceFile& file) {
  return is_cpp(file) && begins_with_one_of(file.path, {"engine/", "commands/", "tui/"});
}

Complaints forbidden_includes(const SourceFile& file) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  Complaints complaints;
  if (!is_product(file)) return complaints;
  std::size_t number = 0;
  for (const auto line : lines_of(file.text)) {
    ++number;
    std::match_results<std::string_view::const_iterator> match;
    if (!std::regex_search(line.begin(), line.end(), match, include)) continue;
    const std::string header = match[2];
    const bool allowed =
        match[1] == "<" ? may_use_library(file.path, header) : may_include(file.path, header);
    if (!allowed)
      complaints.push_back(complaint(file, number, fmt::format("may not include {}", header)));
  }
  return complaints;
}

// A row outlives its room unnoticed, and then allows what nobody has looked at.
Complaints rows_without_files(const std::vector<SourceFile>& tree) {
  Complaints complaints;
  const auto check = [&](std::string_view prefix) {
    const auto begins = [prefix](const SourceFile& file) { return file.path.starts_with(prefix); };
    if (std::ranges::any_of(tree, begins)) return;
    complaints.push_back(fmt::format("arrows_test.cpp names {}, which is not there", prefix));
  };
  for (const auto& [from, to] : arrows()) {
    check(from);
    for (const auto prefix : to) check(prefix);
  }
  for (const auto& [from, never] : walls()) {
    check(from);
    for (const auto prefix : never) check(prefix);
  }
  for (const auto& library : libraries()) check(library.only);
  return complaints;
}

bool found(std::string path, std::string include) {
  return !forbidden_includes({std::move(path), "#include " + include + "\n"}).empty();
}

TEST(TidyArrows, the_tree_follows_the_arrows) {
  EXPECT_EQ(listed(check_tree(forbidden_includes)), "");
}

TEST(TidyArrows, every_row_has_its_files) {
  EXPECT_EQ(listed(rows_without_files(source_tree())), "");
  EXPECT_EQ(rows_without_files({{"engine/base/a.h", ""}}).front(),
            "arrows_test.cpp names engine/graph/, which is not there");
}

TEST(TidyArrows, an_arrow_upwards_is_found) {
  EXPECT_EQ(listed(forbidden_includes({"engine/base/a.h", "\n#include \"engine/graph/op.h\"\n"})),
            "engine/base/a.h:2: may not include engine/graph/op.h");
  EXPECT_TRUE(found("engine/runtime/a.cpp", "\"engine/training/trainer.h\""));
  EXPECT_TRUE(found("engine/session/a.cpp", "\"commands/command.h\""));
  EXPECT_TRUE(found("commands/verbs/a.cpp", "\"tui/canvas.h\""));
}

TEST(TidyArrows, graph_and_machine_do_not_know_each_other) {
  EXPECT_TRUE(found("engine/graph/a.cpp", "\"engine/machine/price.h\""));
  EXPECT_TRUE(found("engine/machine/a.cpp", "\"engine/graph/graph.h\""));
}

TEST(TidyArrows, compiler_and_runtime_never_include_ops) {
  EXPECT_TRUE(found("engine/compiler/a.cpp", "\"engine/ops/ops.h\""));
  EXPECT_TRUE(found("engine/runtime/a.cpp", "\"engine/ops/ops.h\""));
  EXPECT_FALSE(found("engine/training/a.cpp", "\"engine/ops/ops.h\""));
}

TEST(TidyArrows, the_views_of_the_session_include_only_base_and_each_other) {
  EXPECT_TRUE(found("engine/session/snapshot.h", "\"engine/runtime/metrics.h\""));
  EXPECT_TRUE(found("engine/session/snapshot.h", "\"engine/session/engine.h\""));
  EXPECT_FALSE(found("engine/session/request.h", "\"engine/session/settings/settings.h\""));
}

TEST(TidyArrows, settings_know_no_run_and_runs_know_no_answers) {
  EXPECT_TRUE(found("engine/session/settings/a.cpp", "\"engine/session/run/run.h\""));
  EXPECT_TRUE(found("engine/session/settings/a.cpp", "\"engine/session/snapshot.h\""));
  EXPECT_TRUE(found("engine/session/run/a.cpp", "\"engine/session/answers/trial.h\""));
  EXPECT_TRUE(found("engine/session/answers/a.cpp", "\"engine/session/engine.h\""));
  EXPECT_FALSE(found("engine/session/answers/a.cpp", "\"engine/session/settings/plan.h\""));
}

TEST(TidyArrows, a_panel_sees_the_snapshot_and_not_the_engine) {
  EXPECT_TRUE(found("tui/panels/a.cpp", "\"engine/session/engine.h\""));
  EXPECT_TRUE(found("tui/panels/a.cpp", "\"tui/terminal/terminal.h\""));
  EXPECT_FALSE(found("tui/panels/a.cpp", "\"engine/session/snapshot.h\""));
  EXPECT_FALSE(found("tui/app.cpp", "\"engine/session/engine.h\""));
  EXPECT_TRUE(found("tui/draw/a.cpp", "\"engine/session/snapshot.h\""));
}

TEST(TidyArrows, a_library_outside_its_door_is_found) {
  EXPECT_TRUE(found("tui/app.cpp", "<ncurses.h>"));
  EXPECT_TRUE(found("tui/terminal/terminal.cpp", "<readline/readline.h>"));
  EXPECT_TRUE(found("engine/training/a.cpp", "<Eigen/Core>"));
  EXPECT_TRUE(found("engine/session/a.cpp", "<sqlite3.h>"));
  EXPECT_TRUE(found("engine/runtime/a.cpp", "<oneapi/dnnl/dnnl.hpp>"));
  EXPECT_FALSE(found("tui/terminal/terminal.cpp", "<curses.h>"));
  EXPECT_FALSE(found("engine/ops/a.cpp", "<Eigen/Core>"));
}

TEST(TidyArrows, an_include_that_does_not_start_at_the_root_is_found) {
  EXPECT_TRUE(found("tui/app.cpp", "\"canvas.h\""));
}

}  // namespace
}  // namespace tpulab::tidy::arrows_test
