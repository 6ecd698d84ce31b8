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
