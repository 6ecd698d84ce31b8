#include "engine/formats/hlo/host_transfers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/formats/hlo/compiled_step.h"
#include "engine/formats/hlo/parser.h"
#include "engine/formats/hlo/schedule_memory.h"

namespace tpulab::host_transfers_test {
namespace {

constexpr std::int64_t mib = 1 << 20;

// Its arrays have 1 MiB each.
std::string text_of(const std::string& lines, const std::string& others = "") {
  return "HloModule m, is_scheduled=true\n\n" + others +
         "ENTRY %main (x: bf16[512,1024]) -> bf16[512,1024] {\n"
         "  %x = bf16[512,1024]{1,0} parameter(0)\n" +
         lines + "}\n";
}

ImportedStep imported(const std::string& lines) { return import_hlo(text_of(lines), "m.hlo"); }

std::string kernel(const std::string& name, const std::string& what) {
  return "  " + name + " = bf16[512,1024]{1,0} " + what +
         ", backend_config={\"estimated_cycles\":\"1\"}\n";
}

// Two kernels beside the way there, one beside the way back.
std::string there_and_back() {
  return kernel("%a", "negate(%x)") +
         "  %go = (bf16[512,1024]{1,0:S(5)}, bf16[512,1024]{1,0}, u32[]{:S(2)}) copy-start(%a)\n" +
         kernel("%b", "exponential(%a)") + kernel("%c", "exponential(%b)") +
         "  %gone = bf16[512,1024]{1,0:S(5)} copy-done(%go)\n" + kernel("%d", "add(%b, %c)") +
         "  %come = (bf16[512,1024]{1,0}, bf16[512,1024]{1,0:S(5)}, u32[]{:S(2)}) "
         "copy-start(%gone)\n" +
         kernel("%e", "exponential(%d)") + "  %here = bf16[512,1024]{1,0} copy-done(%come)\n" +
         kernel("ROOT %f", "add(%e, %here)");
}

std::vector<NamedKernel> crossing(const ImportedStep& step) {
  std::vector<NamedKernel> found;
  for (const Block& block : step.work.blocks) {
    for (const NamedKernel& one : block.forward) {
      const auto& items = one.work->items;
      if (!items.empty() && std::holds_alternative<HostLinkWork>(items.front())) {
        found.push_back(one);
      }
    }
  }
  return found;
}

const HostLinkWork& link_work(const NamedKernel& kernel) {
  return std::get<HostLinkWork>(kernel.work->items.front());
}

TEST(HostTransfers, cross_the_link_beside_what_runs_until_they_are_waited_for) {
  const ImportedStep step = imported(there_and_back());
  EXPECT_EQ(step.kernels, 6);
  const std::vector<NamedKernel> copies = crossing(step);
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(link_work(copies[0]), (HostLinkWork{{mib}, false}));
  EXPECT_EQ(link_work(copies[1]), (HostLinkWork{{mib}, true}));
  EXPECT_EQ(copies[0].begun, 2);
  EXPECT_EQ(copies[1].begun, 1);
  EXPECT_TRUE(copies[0].work->reads.empty());
}

// Four arrays at once: x, b, c and d while a is away, else five; a itself, until it has been sent,
// beside x, b and c; then what comes back beside x, d and e.
TEST(HostTransfers, leave_hbm_to_others) {
  const ImportedStep step = imported(there_and_back());
  EXPECT_EQ(step.work.working.value, 4 * mib);
  EXPECT_EQ(step.work.on_host.value, mib);
}

// As a loop over layers stacks what they leave, and takes it back part by part.
TEST(HostTransfers, move_the_parts_of_what_lies_there) {
  const hlo::Module module = hlo::parse(
      text_of("  %i = s32[] constant(0)\n"
              "  %all = bf16[4,512,1024]{2,1,0:S(5)} custom-call(), "
              "custom_call_target=\"AllocateBuffer\"\n"
              "  %p = bf16[1,512,1024]{2,1,0} bitcast(%x)\n"
              "  %go = ((bf16[4,512,1024]{2,1,0:S(5)}, bf16[1,512,1024]{2,1,0}, s32[], s32[], "
              "s32[]), bf16[4,512,1024]{2,1,0:S(5)}, u32[]{:S(2)}) "
              "dynamic-update-slice-start(%all, %p, %i, %i, %i)\n"
              "  %gone = bf16[4,512,1024]{2,1,0:S(5)} dynamic-update-slice-done(%go)\n"
              "  %come = ((bf16[4,512,1024]{2,1,0:S(5)}, s32[], s32[], s32[]), "
              "bf16[1,512,1024]{2,1,0}, u32[]{:S(2)}) dynamic-slice-start(%gone, %i, %i, %i), "
              "dynamic_slice_sizes={1,512,1024}\n"
              "  %here = bf16[1,512,1024]{2,1,0} dynamic-slice-done(%come)\n"
              "  ROOT %y = bf16[512,1024]{1,0} bitcast(%here)\n"),
      "m.hlo");
  const hlo::Computation& entry = module.computations.at("main");
  const auto work = [&](const char* name) {
    return hlo::host_transfer_of(entry, *entry.find(name));
  };
  EXPECT_EQ(work("go"), (HostLinkWork{{mib}, false}));
  EXPECT_EQ(work("come"), (HostLinkWork{{mib}, true}));
  EXPECT_FALSE(work("p") || work("here") || work("gone"));
  EXPECT_EQ(hlo::memory_of_schedule(module).value, 2 * mib);
  EXPECT_EQ(hlo::host_memory_of_schedule(module).value, 4 * mib);
}

TEST(HostTransfers, wait_at_once_where_nothing_is_asynchronous) {
  const std::string to = "  %h = bf16[512,1024]{1,0:S(5)} copy(%x)\n";
  const std::string back = "  ROOT %y = bf16[512,1024]{1,0} copy(%h)\n";
  const std::vector<NamedKernel> copies = crossing(imported(to + back));
  ASSERT_EQ(copies.size(), 2U);
  EXPECT_EQ(copies[0].begun, 0);
  EXPECT_EQ(copies[1].begun, 0);
  EXPECT_TRUE(link_work(copies[1]).taken);
  const std::string called =
      "  %h = bf16[512,1024]{1,0} custom-call(%x), custom_call_target=\"MoveToHost\"\n"
      "  ROOT %y = bf16[512,1024]{1,0} custom-call(%h), custom_call_target=\"MoveToDevice\"\n";
  const std::vector<NamedKernel> calls = crossing(imported(called));
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(link_work(calls[0]), (HostLinkWork{{mib}, false}));
  EXPECT_EQ(link_work(calls[1]), (HostLinkWork{{mib}, true}));
}

// State that is kept there stays on no device.
TEST(HostTransfers, take_parameters_from_where_they_lie) {
  const ImportedStep step = import_hlo(
      "HloModule m, is_scheduled=true, input_output_alias={ {}: (1, {}, may-alias) }\n\n"
      "ENTRY %main (x: bf16[512,1024], m: bf16[512,1024]) -> bf16[512,1024] {\n"
      "  %x = bf16[512,1024]{1,0} parameter(0)\n"
      "  %m = bf16[512,1024]{1,0:S(5)} parameter(1)\n"
      "  %come = (bf16[512,1024]{1,0}, bf16[512,1024]{1,0:S(5)}, u32[]{:S(2)}) copy-start(%m)\n"
      "  %here = bf16[512,1024]{1,0} copy-done(%come)\n"
      "  %y = bf16[512,1024]{1,0} add(%x, %here), backend_config={\"estimated_cycles\":\"1\"}\n"
      "  %go = (bf16[512,1024]{1,0:S(5)}, bf16[512,1024]{1,0}, u32[]{:S(2)}) copy-start(%y)\n"
      "  ROOT %gone = bf16[512,1024]{1,0:S(5)} copy-done(%go)\n}\n",
      "m.hlo");
  EXPECT_EQ(step.stays.value + step.work.batch.value, mib);
  EXPECT_EQ(step.state.value, mib);
  EXPECT_EQ(step.work.on_host.value, mib);
  EXPECT_EQ(step.work.working.value, 3 * mib);
}

}  // namespace
}  // namespace tpulab::host_transfers_test
