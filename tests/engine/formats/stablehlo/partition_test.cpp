// What the devices of a divided step exchange, beside what XLA's compiler makes of the same text
// (libtpu 0.0.42.1, eight cores of v3).
#include "engine/formats/stablehlo/partition.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/formats/stablehlo/stablehlo_step.h"
#include "tests/engine/formats/stablehlo/collective_calls.h"

namespace tpulab::partition_test {
namespace {

// Two layers of 256 x 1024 and 1024 x 256, 8,192 rows, plain descent, as jax.jit writes them.
struct Division {
  std::string mesh;
  std::string first;
  std::string second;
  std::string rows;
};

std::string sdy(const std::string& axes) {
  return fmt::format("sdy.sharding = #sdy.sharding<@mesh, [{}]>", axes);
}
std::string tiles(const std::string& devices) {
  return fmt::format("mhlo.sharding = \"{{{}}}\"", devices);
}

const std::string eight = R"(<["data"=8]>)";
const std::string two_by_four = R"(<["data"=2, "model"=4]>)";

// The text has Megatron's division.
ImportedStep divided(const Division& how) {
  std::string text =
      read_file(TPULAB_SOURCE_DIR "/tests/engine/formats/stablehlo/divided_step.mlir");
  for (const auto& [written, said] :
       {std::pair(two_by_four, how.mesh), std::pair(sdy(R"({"data"}, {})"), how.rows),
        std::pair(sdy(R"({}, {"model"})"), how.first),
        std::pair(sdy(R"({"model"}, {})"), how.second)}) {
    std::size_t at = text.find(written);
    EXPECT_NE(at, std::string::npos) << written;
    for (; at != std::string::npos; at = text.find(written, at + said.size())) {
      text.replace(at, written.size(), said);
    }
  }
  return import_stablehlo(text, "f.mlir");
}

// "all-reduce of 8, apart 1" -> bytes of each call.
using Calls = std::map<std::string, std::vector<std::int64_t>>;
Calls calls_of(const ImportedStep& step) {
  Calls calls;
  test::for_each_call(step, [&](const CollectiveWork& call, const Block& block) {
    auto& bytes = calls[fmt::format("{} of {}, apart {}", test::name_of_call(call), call.among.size,
                                    call.among.apart)];
    bytes.insert(bytes.end(), static_cast<std::size_t>(block.repeats), call.bytes.value);
  });
  return calls;
}

constexpr std::int64_t weights = 256 * 1024;
constexpr std::int64_t all_flops = 5LL * 2 * 8192 * weights;

TEST(DividedStep, replicas_sum_their_gradients_and_the_loss_in_one_call) {
  const ImportedStep step = divided({eight, sdy("{}, {}"), sdy("{}, {}"), sdy(R"({"data"}, {})")});
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 8, apart 1", {2 * weights * 4 + 4}}}));
  EXPECT_EQ(step.flops.value, all_flops / 8);
  EXPECT_EQ(step.rows, 8192 / 8);
  EXPECT_EQ(step.state.value, 2 * weights * 4);
  EXPECT_EQ(step.notes, std::vector<std::string>{});
}

// The compiler for v3 gathers 524,288 bytes twice, as products round, and has an all-reduce of
// 2,097,156 in place of what is scattered here.
TEST(DividedStep, devices_that_are_all_given_the_same_rows_count_them_once) {
  const std::string whole = sdy("{}, {}");
  const ImportedStep step = divided({two_by_four, whole, whole, whole});
  EXPECT_EQ(step.rows, 8192);
  EXPECT_EQ(step.alike, 8);
}

TEST(DividedStep, weights_that_devices_share_are_gathered_and_their_gradients_scattered) {
  const ImportedStep step =
      divided({eight, sdy(R"({"data"}, {})"), sdy(R"({"data"}, {})"), sdy(R"({"data"}, {})")});
  EXPECT_EQ(calls_of(step), (Calls{{"all-gather of 8, apart 1", {weights * 2, weights * 2}},
                                   {"all-reduce of 8, apart 1", {4}},
                                   {"reduce-scatter of 8, apart 1", {weights * 4, weights * 4}}}));
  EXPECT_EQ(step.flops.value, all_flops / 8);
  EXPECT_EQ(step.state.value, 2 * weights * 4 / 8);
}

// Megatron's pair: the sum of a group behind the second layer, gradients of parts among replicas.
TEST(DividedStep, a_tensor_group_sums_activations_and_replicas_the_gradients_of_its_parts) {
  const Calls wanted{{"all-reduce of 4, apart 1", {4096 * 256 * 4}},
                     {"all-reduce of 2, apart 4", {2 * weights / 4 * 4 + 4}}};
  const ImportedStep step = divided(
      {two_by_four, sdy(R"({}, {"model"})"), sdy(R"({"model"}, {})"), sdy(R"({"data"}, {})")});
  EXPECT_EQ(calls_of(step), wanted);
  EXPECT_EQ(step.flops.value, all_flops / 8);
  EXPECT_EQ(step.rows, 8192 / 2);
  EXPECT_EQ(step.alike, 4);
  const ImportedStep older =
      divided({"<[]>", tiles("devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate"),
               tiles("devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate"),
               tiles("devices=[2,1,4]<=[8] last_tile_dim_replicate")});
  EXPECT_EQ(calls_of(older), wanted);
  EXPECT_EQ(older.notes, std::vector<std::string>{});
}

TEST(DividedStep, devices_that_older_texts_number_one_by_one_are_read_where_they_count_up) {
  const ImportedStep step = divided(
      {"<[]>", tiles("replicated"), tiles("replicated"), tiles("devices=[8,1]0,1,2,3,4,5,6,7")});
  EXPECT_EQ(calls_of(step), (Calls{{"all-reduce of 8, apart 1", {2 * weights * 4 + 4}}}));
}

TEST(DividedStep, an_argument_whose_division_is_not_read_is_named_and_held_whole) {
  const ImportedStep step = divided(
      {eight, sdy(R"({"data":(2)4}, {})"), sdy(R"({"model"}, {})"), sdy(R"({"data"}, {})")});
  EXPECT_EQ(step.notes, (std::vector<std::string>{
                            "2 shardings left out that are not read, first of argument %arg0: "
                            "#sdy.sharding<@mesh, [{\"data\":(2)4}, {}]>"}));
  EXPECT_EQ(step.state.value, 2 * weights * 4);
  EXPECT_EQ(step.flops.value, all_flops / 8);
}

TEST(DividedStep, devices_whose_order_names_an_axis_twice_are_not_read) {
  const ImportedStep step =
      divided({"<[]>", tiles("replicated"), tiles("devices=[8,1]<=[8]"),
               tiles("devices=[2,2,2]<=[2,2,2]T(0,0,1) last_tile_dim_replicate")});
  EXPECT_EQ(step.notes, (std::vector<std::string>{
                            "2 shardings left out that are not read, first of argument %arg2: "
                            "\"{devices=[2,2,2]<=[2,2,2]T(0,0,1) last_tile_dim_replicate}\""}));
}

void expect_priced_whole(const ImportedStep& step, std::string_view why) {
  EXPECT_EQ(step.flops.value, all_flops);
  EXPECT_EQ(step.notes, (std::vector<std::string>{fmt::format(
                            "2 shardings left out, so that each device is priced with the whole of "
                            "the step: {}",
                            why)}));
}

TEST(DividedStep, says_that_a_step_whose_shardings_make_no_mesh_is_priced_whole) {
  const ImportedStep step =
      divided({R"(<["data"=65536]>)", sdy("{}, {}"), sdy("{}, {}"), sdy(R"({"data"}, {})")});
  EXPECT_EQ(step.devices, 8);
  expect_priced_whole(step, "its mesh has more than 4,096 devices");
}

TEST(DividedStep, a_mesh_of_other_devices_than_the_step_has_is_said) {
  const ImportedStep step =
      divided({R"(<["data"=2]>)", sdy("{}, {}"), sdy("{}, {}"), sdy(R"({"data"}, {})")});
  expect_priced_whole(step, "its mesh has not as many devices as mhlo.num_partitions says");
}

ImportedStep of_four(const std::string& arguments, const std::string& body,
                     const std::string& result) {
  return import_stablehlo(fmt::format("module @m attributes {{mhlo.num_partitions = 4 : i32}} {{\n"
                                      "  sdy.mesh @mesh = <[\"x\"=4]>\n"
                                      "  func.func @main({}) -> {} {{\n{}\n  }}\n}}\n",
                                      arguments, result, body),
                          "f.mlir");
}

const std::string by_rows = R"({sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})";

// lax.scan over stacked weights, each turn's gathered where it is read.
std::string scan(const std::string& made, const std::string& first, const std::string& rows) {
  return made + ":3 = stablehlo.while(%a = %w, %b = %zero, %c = " + first + R"() :
        tensor<3x64x64xf32>, tensor<i32>, tensor<32x64xf32>
    cond {
      %n = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare LT, %b, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %2 = stablehlo.dynamic_slice %a, %b, %zero, %zero, sizes = [1, 64, 64] :
          (tensor<3x64x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x64xf32>
      %3 = stablehlo.reshape %2 : (tensor<1x64x64xf32>) -> tensor<64x64xf32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %b, %one : tensor<i32>
      %4 = stablehlo.dot )" +
         rows + R"(, %3 : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
      stablehlo.return %a, %5, %4 : tensor<3x64x64xf32>, tensor<i32>, tensor<32x64xf32>
    }
)";
}

// `given` makes %x of the arguments; a second loop goes on with what the first one makes of it.
ImportedStep scanned_twice(const std::string& arguments, const std::string& given) {
  return of_four(
      R"(%w: tensor<3x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},)" +
          arguments,
      given + "%zero = stablehlo.constant dense<0> : tensor<i32>\n" +
          "%none = stablehlo.constant dense<0.0> : tensor<32x64xf32>\n" +
          scan("%0", "%none", "%x") + scan("%9", "%0#2", "%c") + "return %9#2 : tensor<32x64xf32>",
      "tensor<32x64xf32>");
}

TEST(DividedStep, loops_gather_the_weights_of_each_turn) {
  const Calls gathered{{"all-gather of 4, apart 1", std::vector<std::int64_t>(6, 64 * 64 * 2)}};
  const ImportedStep step = scanned_twice("%x: tensor<32x64xf32> " + by_rows, "");
  EXPECT_EQ(calls_of(step), gathered);
  const std::string made =
      "%x = stablehlo.dot %t, %e : (tensor<32x8xf32>, tensor<8x64xf32>) -> tensor<32x64xf32>\n";
  const std::string table = ", %e: tensor<8x64xf32>";
  EXPECT_EQ(calls_of(scanned_twice("%t: tensor<32x8xf32> " + by_rows + table, made)), gathered);
  EXPECT_EQ(step.flops.value, 6LL * 2 * 8 * 64 * 64);
}

// Its rows stay divided while it goes round, and are gathered behind it.
TEST(DividedStep, a_loop_is_left_in_parts_where_the_whole_is_wanted) {
  const ImportedStep step = of_four("%x: tensor<64x512xf32> " + by_rows, R"(
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<64x512xf32>
    cond {
      %n = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.add %a, %one : tensor<i32>
      %k = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<64x512xf32>
      %2 = stablehlo.tanh %k : tensor<64x512xf32>
      stablehlo.return %1, %2 : tensor<i32>, tensor<64x512xf32>
    }
    return %0#1 : tensor<64x512xf32>)",
                                    R"((tensor<64x512xf32> {sdy.sharding = #sdy.sharding<@mesh,
      [{}, {}]>}))");
  EXPECT_EQ(calls_of(step), (Calls{{"all-gather of 4, apart 1", {64 * 512 * 4}}}));
}

// Each of 24,000 operands wishes the same.
TEST(DividedStep, an_operation_with_very_many_operands_is_divided_at_once) {
  constexpr int pieces = 24000;
  std::string operands;
  std::string types;
  for (int i = 0; i < pieces; ++i) {
    operands += i == 0 ? "%x" : ", %x";
    types += i == 0 ? "tensor<4x1xf32>" : ", tensor<4x1xf32>";
  }
  const auto before = std::chrono::steady_clock::now();
  const ImportedStep step = of_four(
      "%x: tensor<4x1xf32> " + by_rows,
      fmt::format("    %0 = \"stablehlo.concatenate\"({}) <{{dimension = 1 : i64}}> : ({}) -> "
                  "tensor<4x{}xf32>\n    return %0 : tensor<4x{}xf32>",
                  operands, types, pieces, pieces),
      fmt::format("tensor<4x{}xf32>", pieces));
  EXPECT_EQ(calls_of(step), Calls{});
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8));
}

std::string rows_read(const std::string& rows, const std::string& indices) {
  return "%t: tensor<128x16xf32> " + by_rows + ", %i: tensor<" + rows + "x1xi32>" + indices;
}

Calls calls_of_gather(const std::string& rows, const std::string& indices) {
  const std::string made = "tensor<" + rows + "x16xf32>";
  return calls_of(of_four(rows_read(rows, indices),
                          R"(
    %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1],
        collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes =
        array<i64: 1, 16>}> : (tensor<128x16xf32>, tensor<)" +
                              rows + "x1xi32>) -> " + made + "\n    return %0 : " + made,
                          made));
}

Calls calls_of_scatter(const std::string& rows) {
  const std::string given = "tensor<" + rows + "x16xf32>";
  return calls_of(of_four(rows_read(rows, " " + by_rows) + ", %u: " + given + " " + by_rows, R"(
    %z = stablehlo.constant dense<0.0> : tensor<128x16xf32>
    %0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers =
        #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<128x16xf32>, tensor<)" + rows + "x1xi32>, " + given + R"() -> tensor<128x16xf32>
    %2 = stablehlo.subtract %t, %0 : tensor<128x16xf32>
    return %2 : tensor<128x16xf32>)",
                          "tensor<128x16xf32>"));
}

// Each device has the rows of its part of a table, zeros for the others; written ones add up. The
// compiler for v6e gathers of table, indices and rows what moves least: of a table of 1,048,576
// rows the indices of 4,096 and of 524,288, one of 16,384 for 1,048,576; it sums whole rows.
TEST(DividedStep, a_divided_table_is_read_and_written_in_its_parts) {
  const std::int64_t table = 128 * 16 * 4;
  const std::string divided = " " + by_rows;
  EXPECT_EQ(calls_of_gather("8", ""), (Calls{{"all-reduce of 4, apart 1", {8 * 16 * 4}}}));
  EXPECT_EQ(calls_of_gather("8", divided), (Calls{{"all-gather of 4, apart 1", {8 * 4}},
                                                  {"reduce-scatter of 4, apart 1", {8 * 16 * 4}}}));
  EXPECT_EQ(calls_of_gather("4096", divided).begin()->second.front(), table);
  EXPECT_EQ(calls_of_scatter("8"), (Calls{{"all-gather of 4, apart 1", {8 * 4, 8 * 16 * 4}}}));
  EXPECT_EQ(calls_of_scatter("4096"), (Calls{{"reduce-scatter of 4, apart 1", {table}}}));
}

// A count that reads what is divided is no count.
TEST(DividedStep, what_each_reader_makes_anew_has_no_operands) {
  EXPECT_THROW(of_four("%x: tensor<64x512xf32> " + by_rows, R"(
    %0 = "stablehlo.iota"(%x) {iota_dimension = 0 : i64} : (tensor<64x512xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>)",
                       "tensor<64x64xf32>"),
               Error);
}

TEST(DividedStep, axes_that_become_one_are_divided_by_the_first_of_them) {
  const ImportedStep step =
      of_four("%x: tensor<8x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}, {}]>}", R"(
    %0 = stablehlo.reshape %x : (tensor<8x6x16xf32>) -> tensor<48x16xf32>
    %1 = stablehlo.tanh %0 : tensor<48x16xf32>
    return %1 : tensor<48x16xf32>)",
              "tensor<48x16xf32>");
  EXPECT_EQ(calls_of(step), Calls{});
  EXPECT_EQ(step.work.blocks[0].forward.back().work->writes[0].shape, (Shape{12, 16}));
}

TEST(DividedStep, says_which_constraints_are_left_out_and_why) {
  const auto notes = [](const std::string& rows, const std::string& axes) {
    return of_four("%x: tensor<" + rows + "x64xf32> " + by_rows,
                   "    %0 = sdy.sharding_constraint %x <@mesh, [" + axes + "]> : tensor<" + rows +
                       "x64xf32>\n    %1 = stablehlo.tanh %0 : tensor<" + rows +
                       "x64xf32>\n    return %1 : tensor<" + rows + "x64xf32>",
                   "tensor<" + rows + "x64xf32>")
        .notes;
  };
  EXPECT_EQ(notes("16", R"({}, {"x":(1)2})"),
            (std::vector<std::string>{"1 shardings left out that are not read, first of line 4: "
                                      "<@mesh, [{}, {\"x\":(1)2}]>"}));
  EXPECT_EQ(notes("18", R"({"x"}, {})"),
            (std::vector<std::string>{
                "2 shardings left out that do not divide evenly, first of argument %x: "
                "#sdy.sharding<@mesh, [{\"x\"}, {}]>"}));
}

// A constraint that divides another axis, and one that leaves none.
TEST(DividedStep, constraints_are_kept) {
  const std::string twice =
      "    %1 = stablehlo.tanh %0 : tensor<16x64xf32>\n    return %1 : tensor<16x64xf32>";
  const auto calls = [&](const std::string& axes) {
    return calls_of(of_four(
        "%x: tensor<16x64xf32> " + by_rows,
        "    %0 = sdy.sharding_constraint %x <@mesh, [" + axes + "]> : tensor<16x64xf32>\n" + twice,
        "tensor<16x64xf32>"));
  };
  EXPECT_EQ(calls(R"({"x"}, {})"), Calls{});
  EXPECT_EQ(calls(R"({}, {"x"})"), (Calls{{"all-to-all of 4, apart 1", {4 * 64 * 4}}}));
  EXPECT_EQ(calls("{}, {}"), (Calls{{"all-gather of 4, apart 1", {16 * 64 * 4}}}));
}

// Of four rows, which two devices of one axis or four of the other have: never of none.
TEST(DividedStep, an_axis_changes_the_devices_that_divide_it) {
  for (const int rows : {4, 64}) {
    const std::string type = fmt::format("tensor<{}x512xf32>", rows);
    const ImportedStep step = import_stablehlo(
        fmt::format(
            "module @m attributes {{mhlo.num_partitions = 8 : i32}} {{\n"
            "  sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>\n"
            "  func.func @main(%x: {0} {1}\"a\"}}, {{}}]>}}) -> ({0} {1}\"b\"}}, {{}}]>}}) {{\n"
            "    %0 = stablehlo.add %x, %x : {0}\n    return %0 : {0}\n  }}\n}}\n",
            type, "{sdy.sharding = #sdy.sharding<@mesh, [{"),
        "f.mlir");
    ASSERT_EQ(calls_of(step).size(), 1U);
    EXPECT_EQ(calls_of(step).begin()->first, "all-gather of 2, apart 4");
    for (const Block& block : step.work.blocks) {
      for (const NamedKernel& kernel : block.forward) {
        for (const Operand& made : kernel.work->writes) EXPECT_GT(made.shape.elements(), 0);
      }
    }
  }
}

TEST(DividedStep, what_no_rule_divides_is_gathered_and_said) {
  const auto sorted = [](const std::string& division, const std::string& along) {
    return of_four("%x: tensor<16x64xf32> " + division,
                   "    %0 = \"stablehlo.sort\"(%x) <{" + along + R"(is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<16x64xf32>) -> tensor<16x64xf32>
    return %0 : tensor<16x64xf32>)",
                   "tensor<16x64xf32>");
  };
  const std::string by_columns = R"({sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})";
  for (const ImportedStep& step :
       {sorted(by_rows, "dimension = 0 : i64, "), sorted(by_rows, "dimension = -2 : i64, "),
        sorted(by_columns, "dimension = -1 : i64, "), sorted(by_columns, "")}) {
    EXPECT_EQ(calls_of(step), (Calls{{"all-gather of 4, apart 1", {16 * 64 * 4}}}));
    EXPECT_EQ(step.notes,
              (std::vector<std::string>{"1 operands of stablehlo.sort gathered whole"}));
  }
  EXPECT_EQ(calls_of(sorted(by_rows, "")), Calls{});
}

}  // namespace
}  // namespace tpulab::partition_test
