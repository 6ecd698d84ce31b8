#include "engine/runtime/program_prices.h"

#include <gtest/gtest.h>

#include "engine/machine/scaled_machine.h"

namespace tpulab::program_prices_test {
namespace {

Machine machine_of(const char* slice, const StackRow& stack) {
  Machine machine{
      .slice = slice_named(slice), .host = &host_named("tpu-vm"), .stack = &stack, .devices = {}};
  for (int i = 0; i < machine.slice.devices(); ++i) machine.devices.push_back(i);
  return machine;
}

// A product and what devices exchange of it.
std::shared_ptr<const Program> product_and_exchange() {
  Program program;
  const Shape side{1024, 1024};
  program.kernels.push_back(
      {.name = "product",
       .nodes = {},
       .work = KernelWork{.items = {MatrixWork{.m = 1024, .k = 1024, .n = 1024}},
                          .reads = {{side, DType::f32}, {side, DType::f32}},
                          .writes = {{side, DType::f32}}}});
  program.kernels.push_back(
      {.name = "all-reduce",
       .nodes = {},
       .work = KernelWork{.items = {CollectiveWork{.kind = CollectiveKind::all_reduce,
                                                   .bytes = Bytes{4 << 20}}},
                          .reads = {},
                          .writes = {}},
       .collective = true});
  return std::make_shared<const Program>(std::move(program));
}

void expect_price_of_its_own(const std::shared_ptr<const Program>& program,
                             const Machine& machine) {
  const ProgramPrice wanted = price(*program, machine);
  const ProgramPrice shared = shared_price(program, machine)->price;
  EXPECT_EQ(shared.time, wanted.time);
  EXPECT_EQ(shared.start, wanted.start);
  EXPECT_EQ(shared.exposed, wanted.exposed);
}

TEST(SharedPrice, is_that_of_the_machine_however_many_others_were_asked_for_before) {
  const auto program = product_and_exchange();
  for (int again = 0; again < 2; ++again) {
    for (const char* slice : {"v3-8", "v3-32", "2xv3-32", "v5e-8", "v6e-8"}) {
      for (const StackRow& stack : stack_rows()) {
        const Machine machine = machine_of(slice, stack);
        expect_price_of_its_own(program, machine);
        for (const Resource resource : resources()) {
          ScaledMachine freed(machine);
          freed.speed_up(resource, ScaledMachine::free_factor);
          expect_price_of_its_own(program, freed.machine());
        }
      }
    }
  }
}

TEST(SharedPrice, is_one_for_hosts_and_what_costs_them_time) {
  const auto program = product_and_exchange();
  Machine machine = machine_of("v3-8", stack_named("pytorch-xla"));
  const auto first = shared_price(program, machine);
  machine.host = &host_named("colab-vm");
  EXPECT_EQ(shared_price(program, machine), first);
  ScaledMachine freed(machine);
  freed.speed_up(Resource::host_tracing, 2);
  freed.speed_up(Resource::loader, 2);
  EXPECT_EQ(shared_price(program, freed.machine()), first);
  machine.devices = {1};
  EXPECT_NE(shared_price(program, machine), first);
}

TEST(SharedPrice, of_a_program_that_has_gone_is_no_other_programs) {
  const Machine machine = machine_of("v3-8", stack_named("jax"));
  for (int sides = 1; sides <= 64; ++sides) {  // some come to lie where one before them was
    Program program = *product_and_exchange();
    KernelWork work = program.kernels[0].work;
    std::get<MatrixWork>(work.items[0]).m = 128 * sides;
    program.kernels[0].work = std::move(work);
    expect_price_of_its_own(std::make_shared<const Program>(std::move(program)), machine);
  }
}

}  // namespace
}  // namespace tpulab::program_prices_test
