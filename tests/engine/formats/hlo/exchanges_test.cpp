#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/hlo/compiled_step.h"

namespace tpulab::exchanges_test {
namespace {

ImportedStep entry_of(const std::string& lines) {
  return import_hlo(
      "HloModule m, is_scheduled=true, num_partitions=8\n\n"
      "ENTRY %main (p: bf16[64,1,128]) -> bf16[64,1,128] {\n" +
          lines + "}\n",
      "m.hlo");
}

DeviceSet among(const std::string& groups) {
  const ImportedStep step = entry_of(
      "  %p = bf16[64,1,128] parameter(0)\n"
      "  ROOT %r = bf16[64,1,128] all-reduce(%p), replica_groups=" +
      groups + "\n");
  const auto& work = step.work.blocks.at(0).forward.at(0).work->items.at(0);
  return std::get<CollectiveWork>(work).among;
}

TEST(Exchanges, are_among_the_devices_of_a_group_in_every_form) {
  struct Case {
    const char* text;
    int size;
    int apart;
  };
  for (const Case& one : {Case{"{}", 0, 1}, Case{"{{0,2},{1,3}}", 2, 2}, Case{"[2,4]<=[8]", 4, 1},
                          Case{"[4,2]<=[2,4]T(1,0)", 2, 4}, Case{"mesh['a'=4,'b'=2] {'a'}", 4, 2},
                          Case{"mesh['a'=4,'b'=2] {'a','b'}", 8, 1}}) {
    EXPECT_EQ(among(one.text).size, one.size) << one.text;
    EXPECT_EQ(among(one.text).apart, one.apart) << one.text;
  }
}

// As libtpu 0.0.42 prints {{0,1},{2,3},..} and {{0,2,4,6},{1,3,5,7}} of a mesh turned to a torus.
TEST(Exchanges, are_among_the_devices_of_a_mesh_that_was_turned) {
  const std::string turned = "mesh['a'=2,'b'=1,'c'=4], device_ids=([4,2]T(1,0)) ";
  EXPECT_EQ(among(turned + "{'a'}").size, 2);
  EXPECT_EQ(among(turned + "{'a'}").apart, 1);
  EXPECT_EQ(among(turned + "{'c'}, use_global_device_ids=true").size, 4);
  EXPECT_EQ(among(turned + "{'c'}, use_global_device_ids=true").apart, 2);
  EXPECT_EQ(among("mesh['a'=2,'b'=4], device_ids=([8]) {'a'}").apart, 4);
  EXPECT_EQ(among("mesh['a'=2,'b'=2], device_ids=(0,3,1,2) {'a'}").apart, 1);
  EXPECT_EQ(among("mesh['a'=2,'b'=2], device_ids=(0,3,1,2) {'b'}").apart, 3);
}

CollectiveWork sent_in_fusion(const std::string& reader) {
  const ImportedStep step = import_hlo(
      "HloModule m, is_scheduled=true, num_partitions=8\n\n"
      "%inside (i: f32[512,64]) -> f32[64,64] {\n"
      "  %i = f32[512,64]{1,0} parameter(0)\n"
      "  %s = f32[512,64]{1,0} all-reduce(%i), channel_id=8, "
      "replica_groups={{0,1,2,3,4,5,6,7}}\n"
      "  %b = f32[512,64]{1,0} bitcast(%s)\n"
      "  %d = u32[] partition-id()\n" +
          reader +
          "}\n\n"
          "ENTRY %main (p: f32[512,64]) -> f32[64,64] {\n"
          "  %p = f32[512,64]{1,0} parameter(0)\n"
          "  ROOT %f = f32[64,64]{1,0} fusion(%p), kind=kCustom, calls=%inside\n"
          "}\n",
      "m.hlo");
  for (const Work& item : step.work.blocks.at(0).forward.at(0).work->items) {
    if (const auto* const sent = std::get_if<CollectiveWork>(&item)) return *sent;
  }
  return {};
}

// As libtpu 0.0.42 writes the gradients of sharded weights.
TEST(Exchanges, of_which_each_device_keeps_its_part_scatter_their_sum) {
  const CollectiveWork scattered = sent_in_fusion(
      "  ROOT %r = f32[64,64]{1,0} dynamic-slice(%b, %d, %d), dynamic_slice_sizes={64,64}\n");
  EXPECT_EQ(scattered.kind, CollectiveKind::reduce_scatter);
  EXPECT_EQ(scattered.bytes.value, 512 * 64 * 4);
  EXPECT_EQ(scattered.among.size, 8);
  const CollectiveWork kept_whole = sent_in_fusion(
      "  %part = f32[64,64]{1,0} dynamic-slice(%b, %d, %d), dynamic_slice_sizes={64,64}\n"
      "  %whole = f32[512,64]{1,0} negate(%b)\n"
      "  ROOT %r = f32[64,64]{1,0} slice(%whole), slice={[0:64],[0:64]}\n");
  EXPECT_EQ(kept_whole.kind, CollectiveKind::all_reduce);
}

// Eight devices write up to 128 rows; each has no more than 64 to send.
TEST(Exchanges, of_ragged_rows_are_priced_as_if_all_were_sent) {
  for (const std::string_view exchange :
       {"  ROOT %r = bf16[128,1,128] ragged-all-to-all(%p, %z, %n, %n, %n, %n), "
        "replica_groups={{0,1,2,3,4,5,6,7}}\n",
        "  %s = ((bf16[64,1,128], bf16[128,1,128], s32[8], s32[8], s32[8], s32[8]), "
        "bf16[128,1,128]) ragged-all-to-all-start(%p, %z, %n, %n, %n, %n), "
        "replica_groups={{0,1,2,3,4,5,6,7}}\n"
        "  ROOT %r = bf16[128,1,128] ragged-all-to-all-done(%s)\n"}) {
    const ImportedStep step = entry_of(
        "  %p = bf16[64,1,128] parameter(0)\n"
        "  %z = bf16[128,1,128] parameter(1)\n"
        "  %n = s32[8] parameter(2)\n" +
        std::string(exchange));
    const auto& work = step.work.blocks.at(0).forward.at(0).work->items.at(0);
    const auto& sent = std::get<CollectiveWork>(work);
    EXPECT_EQ(sent.kind, CollectiveKind::all_to_all);
    EXPECT_EQ(sent.bytes.value, 64 * 128 * 2);
    EXPECT_EQ(sent.among.size, 8);
    EXPECT_EQ(step.notes.back(), "1 exchanges of ragged rows, priced as if all of them were sent");
  }
}

// jax.debug.print: what leaves, and an answer that nobody reads.
TEST(Exchanges, with_the_host_are_named) {
  const ImportedStep step = entry_of(
      "  %p = f32[] parameter(0)\n"
      "  %t = token[] after-all()\n"
      "  %s = (f32[], u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true\n"
      "  %d = token[] send-done(%s), channel_id=1, is_host_transfer=true\n"
      "  %q = (f32[], u32[], token[]) recv(%d), channel_id=2, is_host_transfer=true\n"
      "  %e = (f32[], token[]) recv-done(%q), channel_id=2, is_host_transfer=true\n"
      "  ROOT %r = f32[] copy(%p)\n");
  EXPECT_EQ(step.kernels, 1);
  EXPECT_EQ(step.notes.back(),
            "2 exchanges with the host (callbacks, feeds) that take no time here");
}

// Places in the text, as of StableHLO.
TEST(Exchanges, with_the_host_are_counted_once_for_all_turns_of_a_loop) {
  const ImportedStep step = import_hlo(R"(HloModule m, is_scheduled=true

%body (s: (s32[], f32[8,8])) -> (s32[], f32[8,8]) {
  %s = (s32[], f32[8,8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %x = f32[8,8] get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %j = s32[] add(%i, %one)
  %y = f32[8,8] copy(%x)
  %t = token[] after-all()
  %o = (f32[8,8], u32[], token[]) send(%y, %t), channel_id=1, is_host_transfer=true
  %d = token[] send-done(%o), channel_id=1, is_host_transfer=true
  ROOT %r = (s32[], f32[8,8]) tuple(%j, %y)
}

%condition (s: (s32[], f32[8,8])) -> pred[] {
  %s = (s32[], f32[8,8]) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %n = s32[] constant(6)
  ROOT %c = pred[] compare(%i, %n), direction=LT
}

ENTRY %main (x: f32[8,8]) -> f32[8,8] {
  %x = f32[8,8] parameter(0)
  %zero = s32[] constant(0)
  %s = (s32[], f32[8,8]) tuple(%zero, %x)
  %w = (s32[], f32[8,8]) while(%s), condition=%condition, body=%body
  ROOT %r = f32[8,8] get-tuple-element(%w), index=1
}
)",
                                       "m.hlo");
  EXPECT_EQ(step.kernels, 6);
  EXPECT_EQ(step.notes.back(),
            "1 exchanges with the host (callbacks, feeds) that take no time here");
}

}  // namespace
}  // namespace tpulab::exchanges_test
