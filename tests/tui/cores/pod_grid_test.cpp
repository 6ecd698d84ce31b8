#include "tui/cores/pod_grid.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/machine/machine.h"
#include "tests/tui/example_snapshot.h"
#include "tui/cores/core_views.h"

namespace tpulab::pod_grid_test {
namespace {

RunView run_on(std::string_view name) {
  const Slice slice = slice_named(name);
  RunView run;
  run.device = slice.device_word();
  run.devices_per_host = slice.devices_per_host();
  run.torus = {slice.torus, slice.wraps, slice.generation->devices_per_chip, slice.joined};
  return run;
}

constexpr std::array<std::string_view, 8> pods{"v3-32",   "v3-2048",  "v2-512",    "v5e-256",
                                               "v4-4096", "v5p-9216", "2xv5e-256", "tpu7x-4096"};

TEST(PodGrid, every_device_has_one_cell_that_no_other_cell_covers_at_every_size) {
  for (const std::string_view name : pods) {
    const int devices = slice_named(name).devices();
    const PodShape shape = pod_shape(run_on(name), devices);
    EXPECT_EQ(shape.columns * shape.rows * shape.planes, devices) << name;
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, {4, 17}, {12, 80}, {35, 82}, {65, 210}, {200, 400}}) {
      const PodGrid grid(shape, rows, columns);
      std::map<int, int> found;
      std::set<std::pair<int, int>> covered;
      for (int cell = 0; cell < grid.cells(); ++cell) {
        const Rect place = grid.place_of(cell);
        EXPECT_LE(place.row + place.rows, rows) << name;
        EXPECT_LE(place.column + place.columns, columns) << name;
        for (int i = 0; i < place.rows * place.columns; ++i) {
          EXPECT_TRUE(
              covered.emplace(place.row + i / place.columns, place.column + i % place.columns)
                  .second)
              << name << " cell " << cell;
        }
        for (const int device : grid.devices_of(cell)) {
          ++found[device];
          EXPECT_EQ(grid.cell_of(device), cell) << name;
        }
      }
      EXPECT_EQ(std::ssize(found), devices) << name;
      for (const auto& [device, times] : found) EXPECT_EQ(times, 1) << name << " " << device;
    }
  }
}

TEST(PodGrid, a_pod_of_2048_has_a_cell_for_each_core_where_a_pane_has_the_screen) {
  EXPECT_EQ(PodGrid(pod_shape(run_on("v3-2048"), 2048), 35, 82).group(), 1);
  EXPECT_EQ(PodGrid(pod_shape(run_on("v5p-9216"), 9216 / 2), 65, 210).group(), 1);
}

TEST(PodGrid, arrows_reach_the_cell_that_lies_there_and_come_back) {
  for (const std::string_view name : pods) {
    const PodGrid grid(pod_shape(run_on(name), slice_named(name).devices()), 35, 82);
    int edges = 0;
    for (int cell = 0; cell < grid.cells(); ++cell) {
      const Rect here = grid.place_of(cell);
      for (const auto& [rows, columns] : {std::pair{0, 1}, {1, 0}}) {
        const int next = grid.neighbour(cell, rows, columns);
        if (next < 0) {
          ++edges;
          continue;
        }
        EXPECT_EQ(grid.neighbour(next, -rows, -columns), cell) << name;
        const Rect there = grid.place_of(next);
        EXPECT_GT(there.row * rows + there.column * columns,
                  here.row * rows + here.column * columns)
            << name;
      }
    }
    EXPECT_GT(edges, 1) << name;
  }
}

TEST(PodGrid, coordinates_count_chips_along_x_then_y_then_z) {
  const PodShape plane = pod_shape(run_on("v3-2048"), 2048);  // 32 x 32 chips of two cores
  EXPECT_EQ(coordinates_of(plane, 77), "(6, 1)");
  const PodShape box = pod_shape(run_on("v4-4096"), 2048);  // 8 x 16 x 16 chips
  const std::array<int, 3> chips = slice_named("v4-4096").torus;
  const int device = (3 * chips[1] + 2) * chips[0] + 1;
  EXPECT_EQ(coordinates_of(box, device), "(1, 2, 3)");
  EXPECT_EQ(coordinates_of(pod_shape(run_on("2xv5e-256"), 512), 256), "(0, 0) of slice 1");
}

// A pod on which all wait for one device.
Snapshot pod_waiting_for(std::string_view name, int slow) {
  const int devices = slice_named(name).devices();
  Snapshot now = example_pod_snapshot(devices);
  const RunView place = run_on(name);
  now.run.torus = place.torus;
  now.run.device = place.device;
  now.run.devices_per_host = place.devices_per_host;
  for (CoreView& core : now.cores) {
    const double wait = core.index == slow ? 0 : 0.4;
    core.shares = {};
    core.shares[index_of(Share::compute)] = 1 - wait;
    core.shares[index_of(Share::collective_wait)] = wait;
    core.duty_cycle = 1;
    core.wait = picoseconds_from_seconds(wait * 1e-3);
  }
  return now;
}

TEST(PodMap, the_cursor_names_the_device_below_it_with_its_place_and_figures) {
  const Snapshot now = pod_waiting_for("v3-2048", 77);
  ViewState view;
  view.focused = "cores";
  view.pane_rows = 35;
  view.pane_columns = 116;
  view.chosen = PodGrid(pod_shape(now.run, 2048), 35, 116 - 34).cell_of(77);
  Canvas canvas(35, 116);
  panel_named("cores").draw(now, view, canvas);
  const std::string text = canvas.text();
  for (const char* words : {"! #77 slow: 2,047 wait", "> #77 on host 9", "core 1 of chip (6, 1)",
                            "wait 0 %, busy 100 %"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  const Opened opened = panel_named("cores").open(now, view);
  EXPECT_EQ(opened.title, "core 77, straggler");
  EXPECT_EQ(opened.lines.at(0), "core 1 of chip (6, 1), host 9");
  EXPECT_EQ(opened.command, "explain core 77");
  view.chosen = 0;
  EXPECT_EQ(panel_named("cores").open(now, view).title, "core 0");
}

TEST(PodMap, the_culprit_is_marked_once_and_listed_first_from_32_to_9216_devices) {
  for (const std::string_view name : pods) {
    const Snapshot now = pod_waiting_for(name, 13);
    const int devices = slice_named(name).devices();
    for (const auto& [rows, columns] : {std::pair{12, 116}, {19, 76}, {65, 246}}) {
      Canvas canvas(rows, columns);
      panel_named("cores").draw(now, {}, canvas);
      const std::string text = canvas.text();
      const std::size_t first = text.find("! #13 slow: ");
      ASSERT_NE(first, std::string::npos) << text;
      EXPECT_EQ(text.substr(0, first).find("! #"), std::string::npos);
      const PodGrid grid(pod_shape(now.run, devices), rows, columns - 34);
      const bool grouped = text.find("a cell: the most of") != std::string::npos;
      EXPECT_EQ(grouped, grid.group() > 1) << text;
      const Rect place = grid.place_of(grid.cell_of(13));
      EXPECT_EQ(canvas.at(place.row, place.column).glyph, U'!') << text;
    }
  }
}

}  // namespace
}  // namespace tpulab::pod_grid_test
