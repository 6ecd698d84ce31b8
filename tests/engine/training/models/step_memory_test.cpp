// HBM of whole training steps beside the TPU compiler's own analysis of the same networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/training/models/models.h"
#include "engine/training/networks/networks.h"

namespace tpulab::step_memory_test {
namespace {

// What libtpu 0.0.42.1 with jax 0.10.2 says of one device of a step, compiled ahead of time:
// arguments + outputs - aliases + temporaries.
struct Analysed {
  std::string name;
  TracedNetwork network;
  WorkOptions options;
  std::int64_t bytes = 0;
  double within = 0.17;
};

Mesh replicas(int devices) { return {.slices = 1, .data = devices, .fsdp = 1, .tensor = 1}; }

TracedNetwork perceptron_of(std::vector<std::int64_t> hidden) {
  return {.model = perceptron(std::move(hidden)), .row = {.row = {64}, .classes = 10}};
}

TracedNetwork numbers_of_256() {
  return {.model = perceptron({2048, 512}), .row = {.row = {256}, .classes = 10}};
}

TracedNetwork images_of(const char* line, std::int64_t size, std::int64_t channels) {
  return {.model = layer_line(line), .row = {.row = {size, size, channels}, .classes = 10}};
}

TracedNetwork convolutions(std::int64_t size = 28) {
  return images_of(
      "conv 32 3x3 relu | maxpool 2 | conv 64 3x3 relu | maxpool 2 | dense 256 relu | dense 10",
      size, 1);
}

TracedNetwork three_convolutions(std::int64_t size) {
  return images_of(
      "conv 16 3x3 relu | maxpool 2 | conv 32 3x3 relu | maxpool 2 | conv 64 3x3 relu | maxpool 2 "
      "| dense 128 relu | dense 10",
      size, 3);
}

// Of which two stand between two poolings.
TracedNetwork pairs_of_convolutions() {
  return images_of(
      "conv 32 3x3 relu | conv 32 3x3 relu | maxpool 2 | conv 64 3x3 relu | conv 64 3x3 relu | "
      "maxpool 2 | dense 128 relu | dense 10",
      32, 3);
}

TracedNetwork encoder_of(std::int64_t layers, std::int64_t width) {
  const Example row{.row = {512}, .dtype = DType::s32, .classes = 30522, .labels = 76};
  return {.model = encoder({.layers = layers,
                            .width = width,
                            .heads = width / 64,
                            .hidden = 4 * width,
                            .vocabulary = 30522,
                            .wide_softmax = true}),
          .row = row};
}

TracedNetwork bert_of(std::int64_t layers) { return encoder_of(layers, 1024); }

TracedNetwork decoder_of(std::int64_t layers, std::int64_t heads) {
  const Example row{.row = {512}, .dtype = DType::s32, .classes = 8000, .labels = 512};
  return {.model = decoder({.layers = layers,
                            .width = 1024,
                            .heads = heads,
                            .shared = heads,
                            .hidden = 2816,
                            .gated = true,
                            .vocabulary = 8000,
                            .rms = true,
                            .biases = false}),
          .row = row};
}

// Four heads of queries share one of keys.
TracedNetwork grouped_decoder(std::int64_t layers, std::int64_t width, std::int64_t vocabulary) {
  const Example row{.row = {1024}, .dtype = DType::s32, .classes = vocabulary, .labels = 1024};
  return {.model = decoder({.layers = layers,
                            .width = width,
                            .heads = width / 128,
                            .shared = width / 512,
                            .hidden = width * 11 / 4,
                            .gated = true,
                            .vocabulary = vocabulary,
                            .rms = true,
                            .biases = false}),
          .row = row};
}

TracedNetwork small_decoder() {
  const Example row{.row = {256}, .dtype = DType::s32, .classes = 1024, .labels = 256};
  return {.model = decoder({4, 1024, 8, 8, 128, 4096, true, 1024, false, true, false}), .row = row};
}

constexpr Bytes hbm_of_v3{16'621'627'000};  // 15.48 GiB

WorkOptions in_f32(std::int64_t batch, int devices, OptimizerKind optimizer = OptimizerKind::adam) {
  return {.batch = batch,
          .compute = DType::f32,
          .optimizer = optimizer,
          .row_blocks = RowBlocks::in_hbm,
          .fused_attention = 0,
          .softmax = SoftmaxAgain::in_products_too,
          .mesh = replicas(devices),
          .hbm = hbm_of_v3};
}

WorkOptions mixed(std::int64_t batch, int devices, RowBlocks blocks,
                  OptimizerKind optimizer = OptimizerKind::adam) {
  WorkOptions options = in_f32(batch, devices, optimizer);
  options.compute = DType::bf16;
  options.row_blocks = blocks;
  return options;
}

WorkOptions on_v3(std::int64_t batch, int devices = 1) {
  return mixed(batch, devices, RowBlocks::in_hbm);
}
WorkOptions on(const char* generation, WorkOptions options) {
  options.row_blocks = row_blocks_of(generation_named(generation));
  options.softmax = softmax_again(generation_named(generation));
  options.on_chip = generation_named(generation).on_chip();
  return options;
}
WorkOptions on_v5e(std::int64_t batch) { return on("v5e", mixed(batch, 1, RowBlocks::in_vmem)); }
WorkOptions on_v4(std::int64_t batch) { return on("v4", mixed(batch, 1, RowBlocks::in_vmem)); }
WorkOptions scanned(WorkOptions options, Remat remat) {
  options.scanned = true;
  options.remat = remat;
  return options;
}

// Between two convolutions the compiler keeps what the second one reads, in bf16.
std::vector<Analysed> small_images() {
  return {
      {"cnn 16", convolutions(), in_f32(16, 1), 31'159'296},
      {"cnn 64", convolutions(), in_f32(64, 1), 54'262'784},
      {"cnn 96", convolutions(), in_f32(96, 1), 47'793'152},
      {"cnn 512", convolutions(), in_f32(512, 1), 159'660'032},
      {"cnn 64 bf16", convolutions(), on_v3(64), 34'391'040},
      {"cnn 256 bf16", convolutions(), on_v3(256), 67'847'168},
      {"cnn 64 of 56 x 56", convolutions(56), in_f32(64, 1), 225'033'216},
      {"three convolutions 32", three_convolutions(32), in_f32(32, 1), 29'410'304},
      {"three convolutions 128", three_convolutions(32), in_f32(128, 1), 28'003'328},
      {"three convolutions 256", three_convolutions(64), in_f32(256, 1), 267'043'840},
      {"pairs of convolutions 128", pairs_of_convolutions(), in_f32(128, 1), 68'197'376, 0.19},
      {"pairs of convolutions 256", pairs_of_convolutions(), on_v3(256), 89'924'608},
  };
}

std::vector<Analysed> analysed() {
  const TracedNetwork digits = perceptron_of({1024, 1024});
  const TracedNetwork wide = perceptron_of({4096, 4096});
  const TracedNetwork deep = perceptron_of({1024, 1024, 1024});
  const auto sgd = OptimizerKind::sgd;
  WorkOptions v4_images = on("v4", mixed(256, 4, RowBlocks::in_vmem, sgd));
  v4_images.hbm = {};
  const TracedNetwork resnet = workload_named("resnet50").network;
  return {
      {"digits 32", digits, in_f32(32, 1), 14'407'680},
      {"digits 32 x 8", digits, in_f32(32, 8), 19'098'624},
      {"digits 180", digits, in_f32(180, 1), 16'005'120},
      {"digits 180 x 8", digits, in_f32(180, 8), 20'802'560},
      {"digits 1024", digits, in_f32(1024, 1), 24'846'336},
      {"digits 1024 x 8", digits, in_f32(1024, 8), 31'308'800},
      {"wide 4096", wide, in_f32(4096, 1), 374'845'440},
      {"wide 4096 x 8", wide, in_f32(4096, 8), 476'097'536},
      {"deep 8192", deep, in_f32(8192, 1), 146'859'008},
      {"deep 8192 x 8", deep, in_f32(8192, 8), 146'956'288},
      {"digits v6e 64 x 8", digits, on("v6e", in_f32(64, 8)), 13'626'464},
      {"256 numbers v4 4096", numbers_of_256(), on("v4", in_f32(4096, 1)), 23'217'152},
      {"cnn 32", convolutions(), in_f32(32, 1), 50'947'072},
      {"cnn 32 x 8", convolutions(), in_f32(32, 8), 52'459'520},
      {"cnn 128 x 8", convolutions(), in_f32(128, 8), 47'872'000},
      {"resnet50 v3 128 x 8", resnet, mixed(128, 8, RowBlocks::in_hbm, sgd), 4645LL << 20},
      {"resnet50 v4 256 x 4", resnet, v4_images, 9'411'273'216},
      {"resnet50 v3 512 x 8", resnet, mixed(512, 8, RowBlocks::in_hbm, sgd), 14'419LL << 20},
      {"bert 1 v3 14", bert_of(1), on_v3(14), 1'113'654'272},
      {"bert 2 v3 14", bert_of(2), on_v3(14), 1'837'502'464},
      {"bert 1 v3 6", bert_of(1), on_v3(6), 789'864'448},
      {"bert 6 v3 14", bert_of(6), on_v3(14), 3'736'731'648},
      {"bert 12 v3 14", bert_of(12), on_v3(14), 6'595'471'360},
      {"bert 1 v3 14 x 8", bert_of(1), on_v3(14, 8), 1'346'770'944},
      {"bert 2 v3 14 x 8", bert_of(2), on_v3(14, 8), 2'038'225'920},
      {"bert 1 v4 2", bert_of(1), on_v4(2), 654'816'256},
      {"bert 1 v4 8", bert_of(1), on_v4(8), 998'572'032},
      {"bert 1 v4 32", bert_of(1), on_v4(32), 2'892'917'760, 0.21},
      {"bert 6 v4 16", bert_of(6), on_v4(16), 5'440'804'864},
      {"bert 1 v5p 8", bert_of(1), on("v5p", on_v5e(8)), 1'012'169'088},
      {"bert 1 v5e 6", bert_of(1), on_v5e(6), 791'918'592},
      {"bert 6 v5e 8", bert_of(6), on_v5e(8), 2'766'494'720},
      {"bert-base 2 v5e 16", encoder_of(2, 768), on_v5e(16), 1'391'396'864},
      {"bert 1 v6e 16", bert_of(1), on_v5e(16), 1'319'502'880},
      {"decoder 2 v3 4", decoder_of(2, 16), on_v3(4), 910'058'496},
      {"decoder 2 v5e 4", decoder_of(2, 8), on_v5e(4), 781'061'632},
  };
}

// Of a decoder whose layers are a loop. Temporaries are told as more than the heap there: `heap` is
// arguments and heap, where the compiler's list of allocations was looked at.
struct Looped {
  Analysed step;
  std::int64_t heap = 0;
};

std::vector<Looped> loops() {
  WorkOptions sharded = on("v6e", mixed(2, 1, RowBlocks::in_vmem));
  sharded.mesh = {.slices = 1, .data = 1, .fsdp = 4, .tensor = 1};
  sharded.update_shards = 4;
  WorkOptions v5p = on("v5p", sharded);
  v5p.batch = 4;
  const auto full = [](const WorkOptions& options) { return scanned(options, Remat::full); };
  const auto none = [](const WorkOptions& options) { return scanned(options, Remat::none); };
  return {
      {{"loop of 4 v5e 4, full", decoder_of(4, 8), full(on_v5e(4)), 1'241'778'688}, 1'190'233'088},
      {{"loop of 4 v5e 4", decoder_of(4, 8), none(on_v5e(4)), 2'079'066'112}, 1'886'706'688},
      {{"loop of 16 v5e 4, full", decoder_of(16, 8), full(on_v5e(4)), 4'099'316'736},
       4'002'235'392},
      {{"loop of 6 v3 4, full", decoder_of(6, 16), full(on_v3(4)), 2'027'893'760}, 1'810'367'488},
      {{"loop of 6 v3 4", decoder_of(6, 16), none(on_v3(4)), 3'397'530'624}, 3'127'976'960},
      {{"loop of 8 v4 8, full", decoder_of(8, 8), full(on_v4(8)), 2'657'662'976}, 2'364'883'968},
      {{"loop of 4 v6e 2 x fsdp 4, full", decoder_of(4, 8), full(sharded), 334'656'928}},
      {{"loop of 4 v6e 2 x fsdp 4", small_decoder(), none(sharded), 498'051'072}},
      {{"loop of 4 v5e 8 grouped, full", grouped_decoder(4, 1024, 8000), full(on_v5e(8)),
        2'143'298'048, 0.21},
       1'802'535'936},
      {{"loop of 8 v5p 4 x fsdp 4, full", grouped_decoder(8, 2048, 32000), full(v5p),
        3'472'960'832},
       3'023'516'960},
  };
}

double error_of(const Analysed& one, std::int64_t bytes) {
  const StepWork step = work_of(one.network, one.options);
  const Bytes needed =
      step.working + step.weights * (1 + state_count({.kind = one.options.optimizer}));
  return std::abs(static_cast<double>(needed.value) / static_cast<double>(bytes) - 1);
}

TEST(StepMemory, is_near_that_of_the_tpu_compiler) {
  std::vector<double> errors;
  std::vector<Analysed> all = analysed();
  std::ranges::move(small_images(), std::back_inserter(all));
  for (const Looped& loop : loops()) all.push_back(loop.step);
  for (const Analysed& one : all) {
    errors.push_back(error_of(one, one.bytes));
    EXPECT_LE(errors.back(), one.within) << one.name;
  }
  std::ranges::sort(errors);
  EXPECT_LE(errors[errors.size() / 2], 0.06);
}

TEST(StepMemory, of_a_loop_over_layers_is_near_to_its_heap) {
  for (const auto& [step, heap] : loops()) {
    if (heap == 0) continue;
    EXPECT_LE(error_of(step, heap), 0.07) << step.name;
  }
}

}  // namespace
}  // namespace tpulab::step_memory_test
