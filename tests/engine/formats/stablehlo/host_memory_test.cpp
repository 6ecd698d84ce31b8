// Arrays in the host's memory, as jax.device_put and policies of jax.checkpoint place them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"

namespace tpulab::host_memory_test {
namespace {

constexpr std::int64_t mib = 1 << 20;
constexpr const char* rows = "tensor<512x1024xbf16>";  // 1 MiB

std::string placed(const std::string& result, const std::string& value, const std::string& where) {
  return fmt::format(
      "  {} = stablehlo.custom_call @annotate_device_placement({}) {{has_side_effect = true, "
      "mhlo.frontend_attributes = {{_xla_buffer_placement = \"{}\"}}}} : ({}) -> {}\n",
      result, value, where, rows, rows);
}

std::string layer(const std::string& result, const std::string& value) {
  return fmt::format(
      "  {} = stablehlo.dot_general {}, %w, contracting_dims = [1] x [0] : ({}, "
      "tensor<1024x1024xbf16>) -> {}\n",
      result, value, rows, rows);
}

// Layers forward; backward each reads what it was given, which waits on the host where `placement`
// says so.
ImportedStep layers(int count, bool offloaded) {
  std::string text =
      fmt::format("func.func @main(%x0: {}, %w: tensor<1024x1024xbf16>) -> {} {{\n", rows, rows);
  for (int i = 0; i < count; ++i) {
    const std::string given = fmt::format("%x{}", i);
    if (offloaded && i > 0) text += placed(fmt::format("%h{}", i), given, "pinned_host");
    text += layer(fmt::format("%x{}", i + 1), given);
  }
  std::string gradient = fmt::format("%x{}", count);
  for (int i = count - 1; i > 0; --i) {
    std::string given = fmt::format("%x{}", i);
    if (offloaded) {
      text += placed(fmt::format("%t{}", i), fmt::format("%h{}", i), "device");
      given = fmt::format("%t{}", i);
    }
    text += layer(fmt::format("%p{}", i), gradient);
    text += fmt::format(
        "  %d{} = stablehlo.dot_general %p{}, {}, contracting_dims = [1] x [1] : ({}, {}) -> "
        "tensor<512x512xbf16>\n"
        "  %g{} = stablehlo.dot_general %d{}, {}, contracting_dims = [1] x [0] : "
        "(tensor<512x512xbf16>, {}) -> {}\n",
        i, i, given, rows, rows, i, i, given, rows, rows);
    gradient = fmt::format("%g{}", i);
  }
  return import_stablehlo(text + fmt::format("  return {} : {}\n}}\n", gradient, rows), "f.mlir");
}

struct Copy {
  HostLinkWork work{};
  int place = 0;
  int begun = 0;
  std::int64_t repeats = 0;
};

std::vector<Copy> copies_of(const ImportedStep& step) {
  std::vector<Copy> copies;
  int place = 0;
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      const auto& items = kernel.work->items;
      const auto* const work = items.empty() ? nullptr : std::get_if<HostLinkWork>(&items.front());
      if (work != nullptr) copies.push_back({*work, place, kernel.begun, block.repeats});
      ++place;
    }
  }
  return copies;
}

// Three layers, of which the last two leave what they were given: each copy begins behind the
// kernel that makes its array and is waited for before the first is taken back; from then on both
// come, one after the other.
TEST(HostMemory, is_reached_beside_kernels_and_waited_for_late) {
  const ImportedStep step = layers(3, true);
  EXPECT_EQ(step.kernels, layers(3, false).kernels);
  const std::vector<Copy> copies = copies_of(step);
  ASSERT_EQ(copies.size(), 4U);
  for (const Copy& one : copies) EXPECT_EQ(one.work.bytes.value, mib);
  // x1 x2 x3 p2, here the copies of x1 and x2 and back of x2, d2 g2 p1, back of x1, d1 g1.
  EXPECT_FALSE(copies[0].work.taken || copies[1].work.taken);
  EXPECT_TRUE(copies[2].work.taken && copies[3].work.taken);
  EXPECT_EQ(copies[0].place - copies[0].begun, 1);
  EXPECT_EQ(copies[1].place - copies[1].begun, 2);
  EXPECT_EQ(copies[0].place, 4);
  EXPECT_EQ(copies[2].place, 6);
  EXPECT_EQ(copies[2].begun, 0);
  EXPECT_EQ(copies[3].place, 10);
  EXPECT_EQ(copies[3].begun, 4);
}

// Seven arrays of a MiB wait. Where they lie in HBM most is held by the first product backward:
// them, what it reads and what it makes. Else by the next: what it reads (a gradient, an array that
// is back), an array under way, and half a MiB that it makes.
TEST(HostMemory, holds_what_takes_no_hbm) {
  const ImportedStep there = layers(8, true);
  const ImportedStep here = layers(8, false);
  EXPECT_EQ(there.work.on_host.value, 7 * mib);
  EXPECT_EQ(here.work.on_host.value, 0);
  EXPECT_EQ((here.work.working - there.work.working).value, (7 + 2) * mib - (3 * mib + mib / 2));
}

// The optimizer's state comes while the gradient is made, and goes behind the update.
TEST(HostMemory, keeps_arguments_that_come_back) {
  const ImportedStep step = import_stablehlo(
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/state_on_host.mlir"), "f.mlir");
  EXPECT_TRUE(step.trains);
  EXPECT_EQ(step.stays.value, 2 * mib);
  EXPECT_EQ(step.state.value, 4 * mib);
  EXPECT_EQ(step.work.on_host.value, 2 * mib);
  EXPECT_EQ(step.work.batch.value, 256 * 512 * 4);
  const std::vector<Copy> copies = copies_of(step);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].work, (HostLinkWork{{2 * mib}, true}));
  EXPECT_EQ(copies[0].begun, copies[0].place);
  EXPECT_GT(copies[0].begun, 0);
  EXPECT_EQ(copies[1].work, (HostLinkWork{{2 * mib}, false}));
  EXPECT_EQ(copies[1].begun, 0);
}

// As JAX writes lax.scan over layers that leave their input on the host.
constexpr const char* scanned = R"(
func.func @main(%x: tensor<512x1024xbf16>, %w: tensor<1024x1024xbf16>) -> tensor<512x1024xbf16> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<12> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<bf16>
  %zeros = stablehlo.broadcast_in_dim %empty, dims = [] : (tensor<bf16>) -> tensor<12x512x1024xbf16>
  %f:3 = stablehlo.while(%i = %zero, %c = %x, %s = %zeros)
      : tensor<i32>, tensor<512x1024xbf16>, tensor<12x512x1024xbf16>
  cond {
    %t = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %h = stablehlo.custom_call @annotate_device_placement(%c) {mhlo.frontend_attributes =
        {_xla_buffer_placement = "pinned_host"}} : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
    %p = stablehlo.reshape %h : (tensor<512x1024xbf16>) -> tensor<1x512x1024xbf16>
    %u = stablehlo.dynamic_update_slice %s, %p, %i, %zero, %zero : (tensor<12x512x1024xbf16>,
        tensor<1x512x1024xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x512x1024xbf16>
    %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0]
        : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d, %u : tensor<i32>, tensor<512x1024xbf16>, tensor<12x512x1024xbf16>
  }
  %b:3 = stablehlo.while(%i = %zero, %g = %f#1, %s = %f#2)
      : tensor<i32>, tensor<512x1024xbf16>, tensor<12x512x1024xbf16>
  cond {
    %t = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  } do {
    %p = stablehlo.dynamic_slice %s, %i, %zero, %zero, sizes = [1, 512, 1024]
        : (tensor<12x512x1024xbf16>, tensor<i32>, tensor<i32>, tensor<i32>)
        -> tensor<1x512x1024xbf16>
    %r = stablehlo.reshape %p : (tensor<1x512x1024xbf16>) -> tensor<512x1024xbf16>
    %h = stablehlo.custom_call @annotate_device_placement(%r) {mhlo.frontend_attributes =
        {_xla_buffer_placement = "device"}} : (tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
    %d = stablehlo.dot_general %g, %w, contracting_dims = [1] x [0]
        : (tensor<512x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<512x1024xbf16>
    %m = stablehlo.dot_general %d, %h, contracting_dims = [1] x [1]
        : (tensor<512x1024xbf16>, tensor<512x1024xbf16>) -> tensor<512x512xbf16>
    %e = stablehlo.dot_general %m, %h, contracting_dims = [1] x [0]
        : (tensor<512x512xbf16>, tensor<512x1024xbf16>) -> tensor<512x1024xbf16>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %e, %s : tensor<i32>, tensor<512x1024xbf16>, tensor<12x512x1024xbf16>
  }
  return %b#1 : tensor<512x1024xbf16>
}
)";

// A turn sends its part beside its product and its counter, and takes one beside the product that
// does not read it; nobody fills the stack with zeros. HBM has the argument, the weights, what a
// loop hands on, and less than as much again that a turn makes.
TEST(HostMemory, holds_the_stack_of_a_loop) {
  const ImportedStep step = import_stablehlo(scanned, "f.mlir");
  const std::vector<Copy> copies = copies_of(step);
  ASSERT_EQ(copies.size(), 2U);
  for (const Copy& one : copies) {
    EXPECT_EQ(one.work.bytes.value, mib);
    EXPECT_EQ(one.repeats, 12);
  }
  EXPECT_EQ(copies[0].begun, 2);
  EXPECT_EQ(copies[1].begun, 1);
  EXPECT_TRUE(copies[1].work.taken);
  EXPECT_EQ(step.work.on_host.value, 12 * mib);
  EXPECT_LE(step.work.working.value, (1 + 2 + 2 + 4) * mib);
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Operand& made : kernel.work->writes) EXPECT_LE(made.bytes().value, mib);
    }
  }
}

TEST(HostMemory, has_the_part_of_each_device) {
  const ImportedStep step = import_stablehlo(R"(
module @m attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["data"=4]>
  func.func @main(
      %m: tensor<512x1024xf32> {mhlo.memory_kind = "pinned_host",
                                sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
      %x: tensor<512x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>})
      -> tensor<512x1024xf32> {
    %h = stablehlo.custom_call @annotate_device_placement(%m) {mhlo.frontend_attributes =
        {_xla_buffer_placement = "device"}} : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
    %0 = stablehlo.add %h, %x : tensor<512x1024xf32>
    return %0 : tensor<512x1024xf32>
  }
})",
                                             "f.mlir");
  const std::vector<Copy> copies = copies_of(step);
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].work, (HostLinkWork{{2 * mib / 4}, true}));
  EXPECT_EQ(step.work.on_host.value, 2 * mib / 4);
}

// What is read without being taken comes all the same, once for those of a graph that read it.
TEST(HostMemory, is_left_by_what_somebody_reads) {
  const ImportedStep step = import_stablehlo(
      R"(
func.func @main(%x: tensor<512x1024xbf16>, %w: tensor<1024x1024xbf16>
    {mhlo.memory_kind = "pinned_host"}) -> tensor<512x1024xbf16> {
)" + layer("%a", "%x") +
          layer("%b", "%a") + "  return %b : tensor<512x1024xbf16>\n}\n",
      "f.mlir");
  const std::vector<Copy> copies = copies_of(step);
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies[0].work, (HostLinkWork{{2 * mib}, true}));
  EXPECT_EQ(step.stays.value, mib);
}

TEST(HostMemory, has_once_what_is_sent_twice) {
  const ImportedStep step = import_stablehlo(
      fmt::format("func.func @main(%x: {0}) -> ({0}, {0}) {{\n  %y = stablehlo.add %x, %x : {0}\n",
                  rows) +
          placed("%a", "%y", "pinned_host") + placed("%b", "%y", "pinned_host") +
          fmt::format("  return %a, %b : {0}, {0}\n}}\n", rows),
      "f.mlir");
  EXPECT_EQ(copies_of(step).size(), 1U);
  EXPECT_EQ(step.work.on_host.value, mib);
}

// A state of 1 MiB that 1,000 turns take and send back; `from`: what the loop begins with.
Bytes held_by_loop(const std::string& attributes, const std::string& from) {
  const std::string text = fmt::format(
      "func.func @main(%m: {0} {{{1}}}, %x: {0}) -> {0} {{\n"
      "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %r:2 = stablehlo.while(%i = %zero, %s = {2}) : tensor<i32>, {0}\n"
      "  cond {{\n"
      "    %n = stablehlo.constant dense<1000> : tensor<i32>\n"
      "    %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %t : tensor<i1>\n"
      "  }} do {{\n{3}"
      "    %a = stablehlo.add %d, %x : {0}\n{4}"
      "    %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "    %j = stablehlo.add %i, %one : tensor<i32>\n"
      "    stablehlo.return %j, %h : tensor<i32>, {0}\n"
      "  }}\n"
      "  return %r#1 : {0}\n}}\n",
      rows, attributes, from, placed("%d", "%s", "device"), placed("%h", "%a", "pinned_host"));
  return import_stablehlo(text, "f.mlir").work.on_host;
}

// What the caller keeps is copied before a turn writes to it.
TEST(HostMemory, has_the_state_of_a_loop_once) {
  const std::string there = "mhlo.memory_kind = \"pinned_host\"";
  EXPECT_EQ(held_by_loop(there + ", tf.aliasing_output = 0 : i32", "%m").value, mib);
  EXPECT_EQ(held_by_loop(there, "%m").value, 2 * mib);
  EXPECT_EQ(held_by_loop("", "%x").value, mib);
}

// A cache of 8 MiB, which a row of 2 KiB is written to.
Bytes held_for_cache(const std::string& donated, const std::string& returned) {
  return import_stablehlo(
             "func.func @main(%x: tensor<1x1024xbf16>, %i: tensor<i32>, %c: "
             "tensor<4096x1024xbf16> {mhlo.memory_kind = \"pinned_host\"" +
                 donated +
                 R"(}) -> (tensor<4096x1024xbf16>, tensor<1x1024xbf16>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.add %x, %x : tensor<1x1024xbf16>
  %h = stablehlo.custom_call @annotate_device_placement(%y) {mhlo.frontend_attributes =
      {_xla_buffer_placement = "pinned_host"}} : (tensor<1x1024xbf16>) -> tensor<1x1024xbf16>
  %u = stablehlo.dynamic_update_slice %c, %h, %i, %zero : (tensor<4096x1024xbf16>,
      tensor<1x1024xbf16>, tensor<i32>, tensor<i32>) -> tensor<4096x1024xbf16>
  return )" + returned +
                 ", %y : tensor<4096x1024xbf16>, tensor<1x1024xbf16>\n}\n",
             "f.mlir")
      .work.on_host;
}

TEST(HostMemory, has_a_cache_that_is_written_in_place) {
  const std::string donated = ", tf.aliasing_output = 0 : i32";
  EXPECT_EQ(held_for_cache(donated, "%u").value, 8 * mib);
  EXPECT_EQ(held_for_cache(donated, "%c").value, 8 * mib);
  EXPECT_EQ(held_for_cache("", "%u").value, 2 * 8 * mib);
}

// A scan of twelve turns, each of which leaves 1 MiB in a stack that begins with `%zeros`.
std::string scan(const std::string& name, const std::string& from, bool offloaded) {
  const std::string part = offloaded ? placed("%h", "%c", "pinned_host")
                                     : fmt::format("    %h = stablehlo.add %c, %c : {}\n", rows);
  constexpr const char* head = R"(
  {0}:3 = stablehlo.while(%i = %zero, %c = {1}, %s = %zeros) : tensor<i32>, {2}, {3}
  cond {{
    %t = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }} do {{
{4}
    %p = stablehlo.reshape %h : ({2}) -> tensor<1x512x1024xbf16>
    %u = stablehlo.dynamic_update_slice %s, %p, %i, %zero, %zero : ({3},
        tensor<1x512x1024xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> {3}
{5}
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %d, %u : tensor<i32>, {2}, {3}
  }}
)";
  return fmt::format(head, name, from, rows, "tensor<12x512x1024xbf16>", part, layer("%d", "%c"));
}

ImportedStep scans(const std::string& loops, const std::string& last, const std::string& stack) {
  return import_stablehlo(
      R"(
func.func @main(%x: tensor<512x1024xbf16>, %w: tensor<1024x1024xbf16>)
    -> (tensor<512x1024xbf16>, tensor<12x512x1024xbf16>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<12> : tensor<i32>
  %empty = stablehlo.constant dense<0.0> : tensor<bf16>
  %zeros = stablehlo.broadcast_in_dim %empty, dims = [] : (tensor<bf16>) -> tensor<12x512x1024xbf16>
)" + loops +
          fmt::format("  return {}, {} : {}, tensor<12x512x1024xbf16>\n}}\n", last, stack, rows),
      "f.mlir");
}

// The zeros of the stack in HBM are made, those of a stack on the host are not.
TEST(HostMemory, leaves_the_zeros_of_another_loop) {
  const ImportedStep here = scans(scan("%a", "%x", false), "%a#1", "%a#2");
  const ImportedStep both =
      scans(scan("%a", "%x", false) + scan("%b", "%a#1", true), "%b#1", "%a#2");
  EXPECT_EQ(both.work.working, here.work.working);
  const ImportedStep there =
      scans(scan("%a", "%x", true) + scan("%b", "%a#1", true), "%b#1", "%b#2");
  EXPECT_EQ(there.work.on_host.value, 2 * 12 * mib);
  for (const Block& block : there.work.blocks) {
    for (const NamedKernel& kernel : block.forward) {
      for (const Operand& made : kernel.work->writes) EXPECT_LE(made.bytes().value, mib);
    }
  }
}

}  // namespace
}  // namespace tpulab::host_memory_test
