#include "engine/evidence/points.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/base/error.h"
#include "engine/machine/machine.h"

namespace tpulab::points_test {
namespace {

constexpr const char* head = R"([defaults]
cores = 1
batch = 1
remat = false
quant = "none"
noise = 0.01
stack = "jax"
year = 2025
precision = "bf16"
source = "a note"

[[group]]
hardware = "v6e-1"
kind = "device"
points = [
)";

std::string refusal_of(const std::string& text) {
  try {
    parse_points(text, "mine.toml");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string complaint_of(const std::string& entries) {
  return refusal_of(head + entries + "\n]\n");
}

// The point of one [[point]] table, with what every point needs.
MeasuredPoint point_with(const std::string& lines) {
  return parse_points("[[point]]\nid = \"a\"\nvalue = 2\n" + lines, "mine.toml").at(0);
}

constexpr const char* on_v6e = "kind = 'device'\nhardware = 'v6e-1'\nprecision = 'bf16'\n";

TEST(MeasuredPoints, an_entry_takes_what_it_does_not_say_from_group_and_defaults) {
  const auto points = parse_points(
      std::string(head) +
          R"({id = "a", kernel = "gemm", m = 1, k = 2, n = 3, unit = "us", value = 4.5}])",
      "mine.toml");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].stack, "jax");
  EXPECT_EQ(points[0].size("k"), 2);
  EXPECT_EQ(points[0].size("depth"), 0);
  EXPECT_EQ(points[0].remat, "none");
  EXPECT_FALSE(points[0].model);
}

TEST(MeasuredPoints, a_table_of_its_own_needs_no_group) {
  const std::string one =
      "kind = 'device'\nhardware = 'v6e-1'\nkernel = 'softmax'\nrows = 8\nwidth = 128\n"
      "precision = 'f32'\nvalue = 1\nunit = 'us'\n";
  for (const char* name : {"point", "points"}) {
    const std::string table = std::string("[[") + name + "]]\n";
    const auto points =
        parse_points(table + "id = 'a'\n" + one + table + "id = 'b'\n" + one, "mine.toml");
    ASSERT_EQ(points.size(), 2U) << name;
    EXPECT_EQ(points[1].id, "b");
    EXPECT_EQ(points[1].noise, 0);
    EXPECT_EQ(points[1].remat, "none");
    EXPECT_EQ(points[1].quant, "none");
    EXPECT_EQ(points[1].cores, 1);
  }
}

TEST(MeasuredPoints, say_the_effort_and_the_optimizer_of_their_software) {
  const std::string run =
      "kind = 'step'\nhardware = 'v3-8'\nmodel = 'bert-base'\nbatch = 8\nprecision = 'bf16'\n"
      "unit = 'ms/step'\n";
  EXPECT_EQ(point_with(run + "stack = 'flax'").stack, "jax");
  EXPECT_EQ(point_with(run + "stack = 'flax'").optimizer, "auto");
  EXPECT_EQ(point_with(run + "stack = 'flax'\neffort = 'Example'").stack, "jax-ordinary");
  EXPECT_EQ(point_with(run + "stack = 'tf'\neffort = 'mlperf'").stack, "tensorflow");
  EXPECT_EQ(point_with(run + "stack = 'tf'\noptimizer = 'AdamW'").optimizer, "adamw");
  const auto refusal = [&](const char* line) {
    return refusal_of("[[point]]\nid = 'a'\nvalue = 2\nstack = 'jax'\n" + run + line);
  };
  EXPECT_EQ(refusal("effort = 'heroic'"),
            "mine.toml:1: point 'a' has the unknown effort 'heroic'; choose tuned or ordinary");
  EXPECT_NE(refusal("optimizer = 'lion'").find("unknown optimizer 'lion'"), std::string::npos);
}

TEST(MeasuredPoints, kernels_and_their_shapes_may_be_spelled_as_usual) {
  const MeasuredPoint product =
      point_with(std::string(on_v6e) + "kernel = 'MatMul'\nM = 1\nK = 2\nN = 3\nunit = 'cycles'\n");
  EXPECT_EQ(product.workload, "gemm");
  EXPECT_EQ(product.size("m") * 100 + product.size("k") * 10 + product.size("n"), 123);
  EXPECT_EQ(product.measure.quantity, Quantity::clocks);
  const MeasuredPoint convolved = point_with(
      std::string(on_v6e) +
      "kernel = {type = 'conv2d', batch = 4, h = 8, w = 9, in_channels = 3, out_channels = 5, "
      "kernel_size = [3, 3], padding = 0}\nunit = 'ms'\n");
  EXPECT_EQ(convolved.workload, "conv");
  EXPECT_EQ(convolved.size("window"), 3);
  EXPECT_EQ(convolved.size("stride"), 1);
  EXPECT_EQ(convolved.size("padding"), 0);
  EXPECT_EQ(convolved.size("outputs"), 5);
  const MeasuredPoint heads = point_with(
      std::string(on_v6e) + "kernel = 'sdpa'\nshape = [4, 512, 64]\nunit = 'us'\nbatch = 2\n");
  EXPECT_EQ(heads.size("heads"), 4);
  EXPECT_EQ(heads.size("width"), 64);
  EXPECT_EQ(heads.size("batch"), 2);
  const MeasuredPoint reduced = point_with(
      "kind = 'device'\nhardware = 'v3-32'\nprecision = 'f32'\nkernel = 'all-reduce'\n"
      "bytes = 28.5e6\nunit = 'us'\n");
  EXPECT_EQ(reduced.workload, "all_reduce");
  EXPECT_EQ(reduced.size("bytes"), 28500000);
}

TEST(MeasuredPoints, hardware_of_more_than_a_pod_is_joined_slices) {
  const auto slice_of = [](const std::string& hardware, const char* more = "") {
    return point_with(
               "kind = 'step'\nmodel = 'gpt3'\nstack = 'flax'\nbatch = 8\nprecision = "
               "'bf16-mixed'\nunit = 'tokens/s/chip'\nhardware = '" +
               hardware + "'\n" + more)
        .hardware;
  };
  EXPECT_EQ(slice_of("v5e-4096"), "16xv5e-256");
  EXPECT_EQ(slice_of("TPU v3-8192"), "4xv3-2048");
  EXPECT_EQ(slice_of("v5litepod-16"), "v5e-16");
  EXPECT_EQ(slice_of("v6e", "chips = 3072\n"), "12xv6e-256");
  EXPECT_EQ(slice_of("v4", "chips = 64\n"), "v4-128");
}

TEST(MeasuredPoints, words_of_runs_may_be_spelled_as_usual) {
  const MeasuredPoint point = point_with(
      "kind = 'step'\nmodel = 'ResNet-50'\nframework = 'flax'\nglobal_batch = 8\n"
      "precision = 'mixed'\nremat = true\nunit = 'images per second'\nslice = 'v3-8'\n");
  EXPECT_EQ(point.stack, "jax");
  EXPECT_EQ(point.precision, "bf16");
  EXPECT_EQ(point.remat, "full");
  EXPECT_EQ(point.size("batch"), 8);
  EXPECT_EQ(point.measure.quantity, Quantity::samples);
}

TEST(MeasuredPoints, a_missing_key_is_named_with_file_and_line) {
  EXPECT_EQ(complaint_of(R"({id = "a", kernel = "gemm", m = 1, k = 1, n = 1, unit = "us"})"),
            "mine.toml:16: point 'a' has no 'value'; add it to the entry, its group or the "
            "defaults");
  EXPECT_EQ(complaint_of(R"({id = "a", kernel = "gemm", m = 1, n = 1, unit = "us", value = 1})"),
            "mine.toml:16: point 'a' has no 'k', which a gemm needs; add it");
  EXPECT_EQ(refusal_of("\n[[point]]\nid = 'a'\nkind = 'step'\nmodel = 'resnet50'\n"),
            "mine.toml:2: point 'a' has no 'hardware'; add it to the entry, its group or the "
            "defaults");
  EXPECT_EQ(refusal_of("[[point]]\nid = 'a'\nkind = 'step'\n"),
            "mine.toml:1: point 'a' has neither a 'kernel' nor a 'model'; add one");
  EXPECT_NE(refusal_of("title = 'mine'\n").find("mine.toml:1: there is no point"),
            std::string::npos);
}

TEST(MeasuredPoints, a_key_that_is_nearly_one_is_refused_and_others_are_left_alone) {
  const std::string entry =
      R"({id = "a", kernel = "gemm", m = 8, k = 8, n = 8, value = 1.0, unit = "us", )";
  EXPECT_EQ(complaint_of(entry + "reemat = \"full\"}"),
            "mine.toml:16: there is no key 'reemat'; did you mean remat?");
  EXPECT_EQ(complaint_of(entry + "sequense = 4096}"),
            "mine.toml:16: there is no key 'sequense'; did you mean sequence?");
  EXPECT_EQ(complaint_of(entry + "colour = \"red\", notes = \"mine\", weights = 3}"), "no error");
}

TEST(MeasuredPoints, sizes_that_are_no_whole_numbers_are_refused_by_their_names) {
  const auto complaint = [](const std::string& sizes) {
    return complaint_of(R"({id = "a", kernel = "gemm", k = 8, n = 8, value = 1.0, unit = "us", )" +
                        sizes + "}");
  };
  EXPECT_EQ(complaint("m = 1.5"), "mine.toml:16: point 'a' needs a whole number from 0 on as 'm'");
  EXPECT_EQ(complaint("m = 8, batch = 'two'"),
            "mine.toml:16: point 'a' needs a whole number from 0 on as 'batch'");
  EXPECT_NE(complaint("notes = 'none'").find("has no 'm', which a gemm needs"), std::string::npos);
}

TEST(MeasuredPoints, values_that_are_no_finite_numbers_are_refused) {
  for (const char* value : {"inf", "nan", "-inf", "0", "-1.0", "'1'"}) {
    const std::string entry =
        R"({id = "a", kernel = "gemm", m = 1, k = 1, n = 1, unit = "us", value = )";
    EXPECT_NE(complaint_of(entry + value + "}").find("mine.toml:16: point 'a' needs a "),
              std::string::npos)
        << value;
  }
}

TEST(MeasuredPoints, words_that_could_act_on_a_terminal_are_refused) {
  const auto complaint = [](const std::string& words) {
    return complaint_of("{" + words +
                        R"(, kernel = "gemm", m = 1, k = 1, n = 1, unit = "us", value = 1})");
  };
  const std::string id = complaint(R"(id = "a\u001b]52;c;eA==\u0007")");
  EXPECT_NE(id.find("without control characters as 'id'"), std::string::npos) << id;
  const std::string remat = complaint(R"(id = "a", remat = "a\nb")");
  EXPECT_NE(remat.find("without control characters as 'remat'"), std::string::npos) << remat;
  const std::string source = complaint("id = 'a', stack = '" + std::string(10'000, 'x') + "'");
  EXPECT_NE(source.find("at most 500 bytes"), std::string::npos) << source;
}

TEST(MeasuredPoints, a_unit_that_the_workload_does_not_have_is_refused) {
  EXPECT_EQ(complaint_of(
                R"({id = "a", kernel = "gemm", m = 1, k = 1, n = 1, unit = "mfu", value = 1.0})"),
            "mine.toml:16: point 'a' has the unit 'mfu', which a kernel does not have; there are: "
            "clocks, ns, us, ms, s, GB/s, TFLOP/s");
  const std::string text =
      complaint_of(R"({id = "a", model = "resnet50", unit = "TFLOP/s", value = 1.0})");
  EXPECT_NE(text.find("the unit 'TFLOP/s', which a model does not have"), std::string::npos);
}

TEST(MeasuredPoints, units_are_read_in_their_usual_forms) {
  for (const char* usual : {"us", "\xc2\xb5s", "microseconds", "Cycles", "GB/s", "TFLOP/s",
                            "images per second", "tok/s/chip", "tflops/chip", "s/epoch", "mfu %",
                            "samples/sec/core", "ms per step", "steps/s"}) {
    EXPECT_TRUE(unit_named(usual).has_value()) << usual;
  }
  for (const char* unknown : {"furlongs", "samples", "us/chip/apple", ""}) {
    EXPECT_FALSE(unit_named(unknown).has_value()) << unknown;
  }
  EXPECT_EQ(unit_named("mfu %")->factor, 100);
  EXPECT_EQ(unit_named("tok/s/chip")->per, PointUnit::Per::chip);
  EXPECT_TRUE(unit_named("min/epoch")->epoch);
}

TEST(MeasuredPoints, names_that_do_not_exist_and_ids_that_come_twice_are_refused) {
  const std::string gemm = R"(kernel = "gemm", m = 1, k = 1, n = 1, unit = "us")";
  const auto complaint = [&](const std::string& more) {
    return complaint_of("{id = \"a\", " + gemm + ", " + more + "}");
  };
  const std::string slice = complaint(R"(value = 1, hardware = "v6e-3")");
  EXPECT_NE(slice.find("unknown slice 'v6e-3'"), std::string::npos) << slice;
  const std::string one = "{id = \"a\", " + gemm + ", value = 1}";
  const std::string twice = complaint_of(one + ",\n" + one);
  EXPECT_NE(twice.find("mine.toml:17: point 'a' has an id"), std::string::npos) << twice;
  const std::string kind = complaint(R"(kind = "guess", value = 1)");
  EXPECT_NE(kind.find("unknown kind 'guess'"), std::string::npos) << kind;
  EXPECT_NE(complaint("value = -1").find("above zero"), std::string::npos);
  EXPECT_NE(complaint("value = 1, noise = 5").find("0.05 for 5 %"), std::string::npos);
  EXPECT_NE(complaint("value = 1, precision = \"fp6\"").find("choose f32, bf16"),
            std::string::npos);
}

TEST(MeasuredPoints, bad_toml_is_named_with_its_line) {
  const std::string text = complaint_of("{id = }");
  EXPECT_EQ(text.rfind("mine.toml:16: ", 0), 0U) << text;
}

TEST(MeasuredPoints, the_shipped_ones_are_complete_and_name_real_slices) {
  std::set<std::string> ids;
  int runs = 0;
  for (const MeasuredPoint& point : shipped_points()) {
    EXPECT_TRUE(ids.insert(point.id).second) << point.id;
    if (!point.model) continue;
    ++runs;
    const std::int64_t chips = point.size("chips");
    if (chips == 0) continue;
    EXPECT_EQ(slice_named(point.hardware).chips, chips) << point.id;
  }
  EXPECT_GE(runs, 80);
}

TEST(MeasuredPoints, sizes_that_no_computer_has_are_refused) {
  EXPECT_EQ(complaint_of(R"({id = "a", kernel = "all_reduce", bytes = 4294967296, hardware = )"
                         R"("v5p-16", unit = "us", value = 1.0})"),
            "no error");
  EXPECT_NE(complaint_of(R"({id = "a", kernel = "layernorm", batch = 2000000000, rows = )"
                         R"(2000000000, width = 2000000000, unit = "us", value = 1.0})")
                .find("sizes that no array has"),
            std::string::npos);
  const std::string norm =
      R"({id = "a", model = "resnet50", batch = 32, unit = "ms/step", value = 1.0, norm_cores = )";
  EXPECT_NE(complaint_of(norm + "1000000}").find("normalises over 1000000 cores"),
            std::string::npos)
      << complaint_of(norm + "1000000}");
  const std::string softmax =
      R"({id = "a", kernel = "softmax", width = 8, unit = "us", value = 1.0, )";
  for (const char* rows : {"rows = 4294967296}", "rows = -5}"}) {
    EXPECT_NE(complaint_of(softmax + rows).find("'rows'"), std::string::npos)
        << complaint_of(softmax + rows);
  }
  EXPECT_NE(
      complaint_of(R"({id = "a", kernel = "gemm", shape = "8x12a8x8", unit = "us", value = 1})")
          .find("12a8, which is no number"),
      std::string::npos);
}

}  // namespace
}  // namespace tpulab::points_test
