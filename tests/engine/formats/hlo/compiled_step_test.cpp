#include "engine/formats/hlo/compiled_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/formats/hlo/kernel_work.h"
#include "engine/formats/hlo/parser.h"

namespace tpulab::compiled_step_test {
namespace {

constexpr std::string_view head = "HloModule m, is_scheduled=true, num_partitions=4\n\n";
constexpr std::string_view add_function =
    "%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
    "  ROOT %c = f32[] add(%a, %b)\n}\n\n";

ImportedStep imported(const std::string& computations) {
  return import_hlo(std::string(head) + computations, "m.txt");
}

std::string entry(const std::string& lines) {
  return "ENTRY %main (p: f32[8]) -> f32[8] {\n" + lines + "}\n";
}

std::string refusal_of(const std::string& text) {
  try {
    import_hlo(text, "m.txt");
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

const NamedKernel& kernel(const ImportedStep& step, std::size_t block, std::size_t index) {
  return step.work.blocks.at(block).forward.at(index);
}

// Of so many elements each.
std::vector<std::int64_t> elements(const std::vector<Operand>& operands) {
  std::vector<std::int64_t> counts;
  for (const Operand& one : operands) counts.push_back(one.shape.elements());
  return counts;
}

ImportedStep small_step() {
  return import_hlo(read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo"),
                    "small_step.hlo");
}

TEST(CompiledStep, counts_what_a_device_launches) {
  const ImportedStep step = small_step();
  EXPECT_EQ(step.devices, 4);
  EXPECT_EQ(step.exchanging, 4);
  EXPECT_EQ(step.rows, 32);
  // A product with its sum of rows, an all-reduce, an update, and three trips of a loop.
  EXPECT_EQ(step.kernels, 3 + 3);
  EXPECT_EQ(step.flops.value, 2 * 32 * 64 * 128 + 3 * 2 * 32 * 128 * 128);
  EXPECT_EQ(step.state.value, 64 * 128 * 4);
  EXPECT_EQ(step.work.batch.value, (32 * 64 + 128 * 128) * 4);
}

// Of 48 instructions these: a framework traced no fusion, copy, element or argument of a kernel.
TEST(CompiledStep, takes_for_traced_what_the_compiler_did_not_add) {
  const ImportedStep step = small_step();
  EXPECT_EQ(step.operations, 48);
  const int sums = 4;  // of gradients, of the counter, and two beside products
  const int products = 2;
  const int conversions = 4;
  const int constants = 5;
  const int compare_all_reduce_and_loop = 3;
  EXPECT_EQ(step.work.traced_ops,
            sums + products + conversions + constants + compare_all_reduce_and_loop);
}

TEST(CompiledStep, knows_what_comes_back_changed_where_nothing_is_donated) {
  std::string text = read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo");
  const std::string alias = ", input_output_alias={ {0}: (1, {}, may-alias) }";
  text.erase(text.find(alias), alias.size());
  const ImportedStep step = import_hlo(text, "small_step.hlo");
  EXPECT_EQ(step.rows, 32);
  EXPECT_EQ(step.state.value, 64 * 128 * 4);
  EXPECT_EQ(step.work.batch.value, (32 * 64 + 128 * 128) * 4);
}

// As xla_dump_hlo_as_text writes it: names without %, computations without a signature.
TEST(CompiledStep, reads_the_short_form_of_a_dump) {
  std::string text = read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/small_step.hlo");
  std::string brief;
  for (const std::string& line : split(text, '\n')) {
    const bool opens = !line.starts_with(' ') && line.ends_with(" {");
    brief += opens ? line.substr(0, line.find(" (")) + " {" : line;
    brief += '\n';
  }
  std::erase(brief, '%');
  const ImportedStep step = import_hlo(brief, "short.hlo");
  const ImportedStep same = small_step();
  EXPECT_EQ(step.kernels, same.kernels);
  EXPECT_EQ(step.flops.value, same.flops.value);
  EXPECT_EQ(step.rows, same.rows);
  EXPECT_EQ(kernel(step, 0, 0).name, kernel(same, 0, 0).name);
}

TEST(CompiledStep, takes_kernels_with_their_names_and_arrays) {
  const ImportedStep step = small_step();
  const NamedKernel& product = kernel(step, 0, 0);
  EXPECT_EQ(product.name, "dense_fusion.1 jvp()/dot_general model.py:42");
  EXPECT_EQ(kernel(step, 2, 0).name, "update_fusion sub train.py:7");
  EXPECT_TRUE(product.product);
  // x and w, and what is copied into the memory of the core beside it.
  EXPECT_EQ(elements(product.work->reads),
            (std::vector<std::int64_t>{32 * 64, 64 * 128, 128 * 128}));
  EXPECT_EQ(elements(product.work->writes), (std::vector<std::int64_t>{32 * 128, 64 * 128}));
  EXPECT_EQ(product.work->writes[0].dtype, DType::bf16);
}

TEST(CompiledStep, lays_arrays_out_as_the_text_says) {
  const auto module = hlo::parse(
      std::string(head) + entry("  ROOT %p = f32[1024,10]{0,1:T(8,128)} parameter(0)\n"), "m.txt");
  const hlo::ArrayType& type = module.computations.at("main").instructions.at(0).type.arrays.at(0);
  EXPECT_EQ(hlo::operand_of(type).shape, (Shape{10, 1024}));
  EXPECT_EQ(type.bytes().value, 4 * 10 * 1024);
  EXPECT_EQ(type.stored().value, 4 * 16 * 1024);
}

TEST(CompiledStep, a_loop_runs_as_often_as_its_counter_says) {
  const auto trips = [](const std::string& bound, const std::string& step, const char* direction) {
    const std::string body =
        "%body (s: (s32[], f32[8])) -> (s32[], f32[8]) {\n"
        "  %s = (s32[], f32[8]{0}) parameter(0)\n"
        "  %i = s32[] get-tuple-element(%s), index=0\n"
        "  %x = f32[8]{0} get-tuple-element(%s), index=1\n"
        "  %k = s32[] constant(" +
        step +
        ")\n"
        "  %n = s32[] add(%i, %k)\n"
        "  %y = f32[8]{0} copy(%x)\n"
        "  ROOT %t = (s32[], f32[8]{0}) tuple(%n, %y)\n}\n\n"
        "%condition (s: (s32[], f32[8])) -> pred[] {\n"
        "  %s = (s32[], f32[8]{0}) parameter(0)\n"
        "  %i = s32[] get-tuple-element(%s), index=0\n"
        "  %b = s32[] constant(" +
        bound +
        ")\n"
        "  ROOT %l = pred[] compare(%i, %b), direction=" +
        direction + "\n}\n\n";
    return imported(body + entry("  %p = f32[8]{0} parameter(0)\n"
                                 "  %z = s32[] constant(1)\n"
                                 "  %t = (s32[], f32[8]{0}) tuple(%z, %p)\n"
                                 "  %w = (s32[], f32[8]{0}) while(%t), condition=%condition, "
                                 "body=%body\n"
                                 "  ROOT %r = f32[8]{0} get-tuple-element(%w), index=1\n"))
        .kernels;
  };
  EXPECT_EQ(trips("8", "1", "LT"), 7);
  EXPECT_EQ(trips("8", "2", "LT"), 4);
  EXPECT_EQ(trips("8", "2", "LE"), 4);
  EXPECT_EQ(trips("9", "2", "LE"), 5);
  EXPECT_EQ(trips("-7", "-2", "GT"), 4);
}

TEST(CompiledStep, an_update_in_place_writes_its_part_and_a_slice_reads_its_own) {
  const ImportedStep step = imported(
      "%fused (a: f32[64,128], b: f32[64,128], i: s32[]) -> f32[64,128] {\n"
      "  %a = f32[64,128]{1,0} parameter(0)\n"
      "  %b = f32[64,128]{1,0} parameter(1)\n"
      "  %i = s32[] parameter(2)\n"
      "  %row = f32[1,128]{1,0} dynamic-slice(%b, %i, %i), dynamic_slice_sizes={1,128}\n"
      "  ROOT %u = f32[64,128]{1,0} dynamic-update-slice(%a, %row, %i, %i)\n}\n\n" +
      entry("  %p = f32[64,128]{1,0} parameter(0)\n"
            "  %q = f32[64,128]{1,0} parameter(1)\n"
            "  %i = s32[] parameter(2)\n"
            "  ROOT %f = f32[64,128]{1,0} fusion(%p, %q, %i), kind=kLoop, calls=%fused\n"));
  EXPECT_EQ(elements(kernel(step, 0, 0).work->reads), (std::vector<std::int64_t>{128, 1}));
  EXPECT_EQ(elements(kernel(step, 0, 0).work->writes), (std::vector<std::int64_t>{128}));
}

// As a scan's backward pass reads what the forward pass left: a fusion of a slice within one of a
// product.
TEST(CompiledStep, a_slice_in_a_fusion_within_a_fusion_reads_its_own_too) {
  const ImportedStep step = imported(
      "%inner (s: f32[64,128], i: s32[]) -> f32[1,128] {\n"
      "  %s = f32[64,128]{1,0} parameter(0)\n"
      "  %i = s32[] parameter(1)\n"
      "  ROOT %r = f32[1,128]{1,0} dynamic-slice(%s, %i, %i), dynamic_slice_sizes={1,128}\n}\n\n"
      "%fused (a: f32[1,128], b: f32[64,128], i: s32[]) -> f32[1,128] {\n"
      "  %a = f32[1,128]{1,0} parameter(0)\n"
      "  %b = f32[64,128]{1,0} parameter(1)\n"
      "  %i = s32[] parameter(2)\n"
      "  %c = f32[64,128]{1,0} bitcast(%b)\n"
      "  %row = f32[1,128]{1,0} fusion(%c, %i), kind=kLoop, calls=%inner\n"
      "  ROOT %m = f32[1,128]{1,0} multiply(%a, %row)\n}\n\n" +
      entry("  %p = f32[1,128]{1,0} parameter(0)\n"
            "  %q = f32[64,128]{1,0} parameter(1)\n"
            "  %i = s32[] parameter(2)\n"
            "  ROOT %f = f32[1,128]{1,0} fusion(%p, %q, %i), kind=kLoop, calls=%fused\n"));
  EXPECT_EQ(elements(kernel(step, 0, 0).work->reads), (std::vector<std::int64_t>{128, 128, 1}));
}

TEST(CompiledStep, an_asynchronous_collective_knows_what_runs_meanwhile) {
  const ImportedStep step =
      imported(entry("  %p = f32[64,64]{1,0} parameter(0)\n"
                     "  %b = f32[64,64]{1,0} convolution(%p, %p), dim_labels=bf_io->bf\n"
                     "  %s = (f32[64,64]{1,0}, f32[64,64]{1,0}, u32[], u32[]) "
                     "collective-permute-start(%b), source_target_pairs={{0,1},{1,0}}\n"
                     "  %c = f32[64,64]{1,0} convolution(%p, %p), dim_labels=bf_io->bf\n"
                     "  %e = f32[64,64]{1,0} convolution(%c, %p), dim_labels=bf_io->bf\n"
                     "  %d = f32[64,64]{1,0} collective-permute-done(%s)\n"
                     "  %f = f32[64,64]{1,0} all-reduce(%e), replica_groups={{0,1}}\n"
                     "  ROOT %r = f32[64,64]{1,0} add(%d, %f)\n"));
  const NamedKernel& sent = kernel(step, 0, 3);
  const auto& work = std::get<CollectiveWork>(sent.work->items.front());
  EXPECT_EQ(work.kind, CollectiveKind::permute);
  EXPECT_EQ(work.bytes.value, 64 * 64 * 4);
  EXPECT_EQ(sent.begun, 2);                // both products behind its start
  EXPECT_EQ(kernel(step, 0, 4).begun, 0);  // waited for at once
  EXPECT_EQ(kernel(step, 0, 2).begun, -1);
}

// As libtpu 0.0.42.1 spreads the gathers of a sharded step on v5e over the products beside them.
TEST(CompiledStep, a_collective_that_is_spread_over_fusions_is_sent_once) {
  const auto part = [](const char* name, const char* rest) {
    return fmt::format(
        "%{} (p: f32[16,64], q: f32[64,64]) -> f32[64,64] {{\n"
        "  %p = f32[16,64]{{1,0}} parameter(0)\n  %q = f32[64,64]{{1,0}} parameter(1)\n"
        "  %g = f32[64,64]{{1,0}} all-gather(%p), channel_id=5, replica_groups=[1,4]<=[4], "
        "dimensions={{0}}\n{}}}\n",
        name, rest);
  };
  const std::string root =
      "  ROOT %c = f32[64,64]{1,0} custom-call(%g), custom_call_target=\"x\"\n";
  const std::string product =
      "  ROOT %c = f32[64,64]{1,0} convolution(%q, %q), dim_labels=bf_io->bf\n";
  const ImportedStep step = imported(
      part("start", root.c_str()) + part("middle", product.c_str()) + part("done", root.c_str()) +
      entry("  %p = f32[16,64]{1,0} parameter(0)\n  %q = f32[64,64]{1,0} parameter(1)\n"
            "  %s = f32[64,64]{1,0} fusion(%p, %q), kind=kCustom, calls=%start\n"
            "  %m = f32[64,64]{1,0} fusion(%p, %s), kind=kOutput, calls=%middle\n"
            "  %n = f32[64,64]{1,0} fusion(%p, %m), kind=kOutput, calls=%middle\n"
            "  %d = f32[64,64]{1,0} fusion(%p, %n), kind=kCustom, calls=%done\n"
            "  ROOT %r = f32[64,64]{1,0} copy(%d)\n"));
  int sent = 0;
  for (const NamedKernel& one : step.work.blocks.front().forward) {
    for (const Work& item : one.work->items) {
      sent += std::holds_alternative<CollectiveWork>(item) ? 1 : 0;
    }
  }
  EXPECT_EQ(sent, 1);
  EXPECT_EQ(kernel(step, 0, 2).begun, 2);  // both products hide it
  EXPECT_EQ(step.flops.value, 2 * 2 * 64 * 64 * 64);
}

TEST(CompiledStep, multiplies_as_a_hand_would_count) {
  const auto product = [](const char* left, const char* right, const char* out, const char* rest) {
    const auto module = hlo::parse(
        std::string(head) + entry(fmt::format("  %l = {} parameter(0)\n  %r = {} parameter(1)\n"
                                              "  ROOT %o = {} convolution(%l, %r), {}\n",
                                              left, right, out, rest)),
        "m.txt");
    const auto& body = module.computations.at("main");
    return hlo::product_of(module, body, *body.root());
  };
  // 3 x 3 over 28 x 28 pixels of 32 images, 32 channels to 64.
  const MatrixWork forward =
      product("f32[32,28,28,32]{3,2,1,0}", "f32[3,3,32,64]{3,2,1,0}", "f32[32,28,28,64]{3,2,1,0}",
              "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f");
  EXPECT_EQ(forward.m, 32 * 28 * 28);
  EXPECT_EQ(forward.k, 9 * 32);
  EXPECT_EQ(forward.n, 64);
  EXPECT_FALSE(forward.batch_in_lanes);
  EXPECT_EQ(forward.images, 0);
  // The same with images in the sublanes, or in the lanes as where channels are few.
  const auto laid_out = [&](const char* images) {
    return product(images, "f32[3,3,32,64]{3,2,1,0}", "f32[32,28,28,64]{3,0,2,1}",
                   "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f");
  };
  EXPECT_EQ(laid_out("f32[32,28,28,32]{3,0,2,1}").images, 32);
  EXPECT_TRUE(laid_out("f32[32,28,28,32]{0,3,2,1}").batch_in_lanes);
  // Eight heads: a window that meets one element each is the axis of a batch.
  const MatrixWork heads =
      product("bf16[8,2048,128]{2,1,0}", "bf16[8,2048,128]{2,1,0}", "bf16[8,2048,2048]{2,1,0}",
              "window={size=8 stride=7 lhs_dilate=8}, dim_labels=0bf_0oi->0bf");
  EXPECT_EQ(heads.batch, 8);
  EXPECT_EQ(heads.flops().value, 2LL * 8 * 2048 * 2048 * 128);
  // A group of channels each.
  const MatrixWork depthwise =
      product("f32[4,8,8,16]{3,2,1,0}", "f32[3,3,1,16]{3,2,1,0}", "f32[4,8,8,16]{3,2,1,0}",
              "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=16, "
              "operand_precision={highest,highest}");
  EXPECT_EQ(depthwise.batch, 16);
  EXPECT_EQ(depthwise.flops().value, 2 * 4 * 8 * 8 * 9 * 16);
  EXPECT_EQ(depthwise.passes, 6);
}

TEST(CompiledStep, reads_loops_calls_branches_and_exchanges_of_every_kind) {
  const ImportedStep step = import_hlo(
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/hlo/many_forms.hlo"), "many_forms.hlo");
  EXPECT_EQ(step.devices, 8);
  // Nine of the entry, two copies of calls, and five trips; the empty buffer is none.
  EXPECT_EQ(step.kernels, 9 + 2 + 5);
  EXPECT_EQ(step.flops.value, 2LL * 2 * 8 * 8 * 4096);
  std::vector<CollectiveKind> sent;
  std::vector<std::int64_t> bytes;
  for (const NamedKernel& one : step.work.blocks.at(0).forward) {
    for (const Work& item : one.work->items) {
      if (const auto* const work = std::get_if<CollectiveWork>(&item)) {
        sent.push_back(work->kind);
        bytes.push_back(work->bytes.value);
      }
    }
  }
  EXPECT_EQ(sent,
            (std::vector<CollectiveKind>{CollectiveKind::all_gather, CollectiveKind::all_to_all,
                                         CollectiveKind::reduce_scatter}));
  EXPECT_EQ(bytes,
            (std::vector<std::int64_t>{2 * 8 * 8192 * 4, 2 * 8 * 4096 * 4, 2 * 8 * 4096 * 4}));
}

// As the compiler writes the maximum of a softmax.
TEST(CompiledStep, a_window_that_sees_a_whole_axis_is_a_reduce) {
  const auto pooled = [](const char* window) {
    const ImportedStep step = imported(
        std::string(add_function) +
        entry(
            std::string("  %p = f32[64,2048]{0,1:T(8,128)} parameter(0)\n"
                        "  %z = f32[] constant(0)\n"
                        "  ROOT %r = f32[64,2048]{0,1:T(8,128)} reduce-window(%p, %z), window={") +
            window + "}, to_apply=%sum, backend_config={\"estimated_cycles\":\"1\"}\n"));
    return std::get<VectorWork>(kernel(step, 0, 0).work->items.at(0));
  };
  const VectorWork whole = pooled("size=1x4095 pad=0_0x2047_2047");
  EXPECT_EQ(whole.cheap, 1);
  EXPECT_EQ(whole.shape, (Shape{2048, 64}));
  EXPECT_EQ(whole.reduced_axis, 0);
  EXPECT_EQ(pooled("size=1x3 pad=0_0x1_1").cheap, 3);
  EXPECT_EQ(pooled("size=1x3 pad=0_0x1_1").reduced_axis, -1);
}

TEST(CompiledStep, memory_is_what_lies_there_at_once) {
  // 4 KiB given; a lives until c, b and c at once with it.
  const ImportedStep step =
      imported(entry("  %p = f32[1024]{0} parameter(0)\n"
                     "  %a = f32[1024]{0} copy(%p)\n"
                     "  %b = f32[2048]{0} copy(%a)\n"
                     "  %c = f32[1024]{0} copy(%a)\n"
                     "  %v = f32[4096]{0:S(1)} copy(%b)\n"
                     "  ROOT %d = f32[1024]{0} copy(%v)\n"));
  EXPECT_EQ(step.work.working.value, 4 * (1024 + 1024 + 2048 + 1024));
}

TEST(CompiledStep, refuses_with_file_and_line) {
  const auto inside = [](const std::string& line) {
    return refusal_of(std::string(head) + entry("  %p = f32[8]{0} parameter(0)\n" + line));
  };
  EXPECT_NE(inside("  ROOT %q = c128[8]{0} copy(%p)\n").find("m.txt:5: c128 is no type"),
            std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[<=8]{0} copy(%p)\n").find("known only at run time"),
            std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[8]{0} fusion(%p), kind=kLoop, calls=%gone\n")
                .find("m.txt:5: q calls 'gone', which is not in the text"),
            std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[8]{0} convolution(%p), dim_labels=b_i->b\n").find("m.txt:5:"),
            std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[8]{0} bitcast(%p)\n")
                .find("m.txt:5: main launches no kernel; give what the compiler made"),
            std::string::npos);
  EXPECT_NE(refusal_of("HloModule m\n").find("no ENTRY computation"), std::string::npos);
  EXPECT_NE(inside("  ROOT %q = f32[999999999,999999999]{0,1} copy(%p)\n").find("elements"),
            std::string::npos);
}

TEST(CompiledStep, groups_and_windows_beyond_all_bounds_are_refused) {
  const auto convolved = [](const std::string& rest) {
    return refusal_of(
        "HloModule m, is_scheduled=true\n\nENTRY main {\n"
        "  %p0 = f32[8,16,16,64]{3,2,1,0} parameter(0)\n"
        "  %p1 = f32[3,3,64,64]{3,2,1,0} parameter(1)\n"
        "  ROOT %c = f32[8,16,16,64]{3,2,1,0} convolution(%p0, %p1), " +
        rest + "\n}\n");
  };
  for (const char* rest : {"window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, "
                           "feature_group_count=4294967296, batch_group_count=4294967296",
                           "window={size=16777216x16777216}, dim_labels=b01f_01io->b01f"}) {
    EXPECT_NE(convolved(rest).find("make no product"), std::string::npos) << convolved(rest);
  }
}

}  // namespace
}  // namespace tpulab::compiled_step_test
