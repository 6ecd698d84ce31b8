#include "engine/compiler/price_program.h"

#include <gtest/gtest.h>

#include "engine/forecast/forecast.h"
#include "engine/forecast/known_steps.h"

namespace tpulab::price_program_test {
namespace {

TEST(PriceOfAProgram, is_the_same_where_equal_kernels_are_priced_once) {
  const ForecastRequest request{.model = "resnet50", .batch = 256};
  const Machine machine = machine_of(request);
  const auto programs = known_programs(request, machine);
  Program program = *programs->of({.rows = 256}, machine);
  int own = 0;
  for (std::size_t k = 0; k < program.alike.size(); ++k) {
    const auto like = static_cast<std::size_t>(program.alike[k]);
    ASSERT_LE(like, k);
    own += like == k ? 1 : 0;
    EXPECT_TRUE(program.kernels[k].work == program.kernels[like].work);
  }
  EXPECT_LT(3 * own, 2 * static_cast<int>(program.kernels.size()));
  const ProgramPrice once = price(program, machine);
  program.alike.clear();
  const ProgramPrice each = price(program, machine);
  EXPECT_EQ(once.time, each.time);
  EXPECT_EQ(once.exposed, each.exposed);
}

// What goes to the host's memory takes its bytes' time on the link, and the matrix unit works on.
TEST(PriceOfAProgram, hides_what_crosses_the_host_link_behind_the_kernels_of_its_pass) {
  const Machine machine = machine_of({.model = "resnet50", .slice = "v4-8", .stack = "jax"});
  Program program;
  program.offloaded = {1 << 20};
  const Kernel product{
      .name = "dot", .nodes = {}, .work = {{MatrixWork{.m = 1024, .k = 1024, .n = 1024}}, {}, {}}};
  const Kernel sent{
      .name = "sent", .nodes = {}, .work = {{HostLinkWork{{1 << 20}}}, {}, {}}, .begun = 1};
  program.kernels = {product, sent, product, product};
  const ProgramPrice whole = price(program, machine);
  const Picoseconds link = host_transfer_time(program.offloaded, machine);
  EXPECT_NEAR(in_seconds(whole.kernels[1].time - link), machine.generation().kernel_seconds, 1e-12);
  EXPECT_EQ(name_of(whole.kernels[1].bound), "host link");
  EXPECT_EQ(whole.exposed[1], whole.kernels[1].time - whole.kernels[0].time);
  EXPECT_EQ(whole.hidden[1], whole.kernels[0].time);
  // A core of half the speed hides twice as much of it.
  EXPECT_EQ(exposed_at(whole, 1, 2), whole.kernels[1].time - whole.kernels[0].time * 2);
  EXPECT_EQ(exposed_at(whole, 1, 100), Picoseconds{});
  EXPECT_EQ(exposed_at(whole, 0, 2), whole.exposed[0] * 2);
  Program after = program;
  after.kernels[1].begun = 0;
  EXPECT_EQ(price(after, machine).time - whole.time, whole.kernels[0].time);
  // What is exchanged meanwhile takes as long as it did.
  program.kernels[0] = {.name = "exchange",
                        .nodes = {},
                        .work = {{CollectiveWork{CollectiveKind::all_reduce, {1 << 16}}}, {}, {}},
                        .collective = true};
  const ProgramPrice exchanged = price(program, machine);
  EXPECT_GT(exchanged.hidden[1], Picoseconds{});
  EXPECT_EQ(exposed_at(exchanged, 1, 2), exchanged.exposed[1]);
}

// The link carries both ways at once, and one array after the other each way.
TEST(PriceOfAProgram, hides_each_way_over_the_host_link_for_itself) {
  const Machine machine = machine_of({.model = "resnet50", .slice = "v4-8", .stack = "jax"});
  const auto copy = [](bool taken, int begun) {
    return Kernel{.name = "copy",
                  .nodes = {},
                  .work = {{HostLinkWork{{1 << 20}, taken}}, {}, {}},
                  .begun = begun};
  };
  Program program;
  const auto exposed = [&](std::vector<Kernel> kernels) {
    program.kernels = std::move(kernels);
    const ProgramPrice whole = price(program, machine);
    return std::pair(whole.exposed, whole.kernels[0].time);
  };
  const auto [apart, one] = exposed({copy(false, 0), copy(true, 1)});
  EXPECT_EQ(apart, (std::vector<Picoseconds>{one, {}}));
  const auto [together, same] = exposed({copy(true, 0), copy(true, 1)});
  EXPECT_EQ(together, (std::vector<Picoseconds>{same, same}));
}

// What is over long before it is waited for leaves the link to the next.
TEST(PriceOfAProgram, begins_what_crosses_the_host_link_as_soon_as_it_is_free) {
  const Machine machine = machine_of({.model = "resnet50", .slice = "v4-8", .stack = "jax"});
  const auto copy = [](int begun) {
    return Kernel{
        .name = "copy", .nodes = {}, .work = {{HostLinkWork{{1 << 10}}}, {}, {}}, .begun = begun};
  };
  const Kernel product{
      .name = "dot", .nodes = {}, .work = {{MatrixWork{.m = 4096, .k = 4096, .n = 4096}}, {}, {}}};
  Program program;
  program.kernels = {product, copy(1), copy(2)};
  const ProgramPrice whole = price(program, machine);
  ASSERT_GT(whole.kernels[0].time, whole.kernels[1].time * 2);
  EXPECT_EQ(whole.time, whole.start + whole.kernels[0].time);
}

// A step that sums batches exchanges behind the last: programs of the others have those kernels
// not.
TEST(PriceOfAProgram, counts_what_runs_beside_a_transfer_in_its_own_program) {
  const ForecastRequest request{.model = "llama3-8b",
                                .slice = "v5p-64",
                                .stack = "jax",
                                .batch = 64,
                                .mesh = {.data = 2, .fsdp = 16},
                                .remat = Remat::offload};
  const Machine machine = machine_of(request);
  const auto programs = known_programs(request, machine);
  for (const auto part : {ProgramKind::Part::step, ProgramKind::Part::sums}) {
    const auto program = programs->of({.part = part, .rows = 64}, machine);
    int since_turn = 0;
    int transfers = 0;
    for (const Kernel& kernel : program->kernels) {
      if (crosses_host_link(kernel)) {
        EXPECT_EQ(kernel.begun, since_turn) << kernel.name;
        since_turn = 0;
        ++transfers;
      } else {
        ++since_turn;
      }
    }
    EXPECT_EQ(transfers, 2);
  }
}

// Kernels as a text schedules them: two products, what is sent meanwhile, a product, what is sent
// behind both.
TEST(PriceOfAProgram, hides_what_a_text_sends_behind_all_that_runs_meanwhile) {
  const Machine machine = machine_of({.model = "resnet50", .slice = "v4-16", .stack = "jax"});
  const auto product = [](std::int64_t n) {
    return Kernel{
        .name = "dot", .nodes = {}, .work = {{MatrixWork{.m = n, .k = n, .n = n}}, {}, {}}};
  };
  const auto sent = [](std::int64_t mib, int begun) {
    const CollectiveWork work{CollectiveKind::all_reduce, {mib << 20}, {.size = 8}};
    return Kernel{
        .name = "sent", .nodes = {}, .work = {{work}, {}, {}}, .collective = true, .begun = begun};
  };
  Program program;
  program.world = machine.world();
  program.kernels = {product(1024), product(2048), sent(8, 2), product(1024), sent(8, 4)};
  const ProgramPrice whole = price(program, machine);
  const auto time = [&](std::size_t k) { return whole.kernels[k].time; };
  const Picoseconds zero{};
  const Picoseconds beside = time(0) + time(1);
  ASSERT_GT(time(2), zero);
  EXPECT_EQ(whole.exposed[2], std::max(zero, time(2) - beside));
  // Both began with the step and share the links: the second ends two transfers after that.
  EXPECT_EQ(whole.exposed[4],
            std::max(zero, time(2) + time(4) - (beside + whole.exposed[2] + time(3))));
  EXPECT_GT(whole.exposed[4], zero);
  program.kernels[2].begun = program.kernels[4].begun = 0;
  const ProgramPrice waited = price(program, machine);
  EXPECT_EQ(waited.exposed[2], time(2));
  EXPECT_EQ(waited.exposed[4], time(4));
}

// What a turn of a loop sends is hidden by its own turn.
TEST(PriceOfAProgram, hides_in_each_turn_of_a_loop_what_that_turn_sends) {
  const Machine machine = machine_of({.model = "resnet50", .slice = "v4-16", .stack = "jax"});
  const CollectiveWork work{CollectiveKind::all_reduce, {64 << 20}, {.size = 8}};
  Program program;
  program.world = machine.world();
  program.kernels = {{.name = "dot",
                      .nodes = {},
                      .work = {{MatrixWork{.m = 512, .k = 512, .n = 512}}, {}, {}},
                      .runs = 10},
                     {.name = "sent",
                      .nodes = {},
                      .work = {{work}, {}, {}},
                      .collective = true,
                      .runs = 10,
                      .begun = 1}};
  const ProgramPrice whole = price(program, machine);
  EXPECT_EQ(whole.exposed[1], (whole.kernels[1].time - whole.kernels[0].time) * 10);
}

}  // namespace
}  // namespace tpulab::price_program_test
