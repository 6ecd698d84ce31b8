#include "engine/forecast/open_mesh.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/forecast/memory.h"
#include "engine/forecast/mesh.h"
#include "engine/forecast/steady_step.h"

namespace tpulab::open_mesh_test {
namespace {

ForecastRequest decoder_on(const std::string& slice, std::int64_t batch, const std::string& mesh) {
  return {.model = "gpt-j-6b", .slice = slice, .batch = batch, .mesh = mesh_named(mesh)};
}

// Without moments there is room for replicas.
ForecastRequest small_decoder_on(const std::string& slice, std::int64_t batch,
                                 const std::string& mesh) {
  ForecastRequest request = decoder_on(slice, batch, mesh);
  request.precision = "bf16-true";
  request.remat = Remat::full;
  request.optimizer = OptimizerKind::sgd;
  return request;
}

double seconds_of(const ForecastRequest& request) {
  const Machine machine = machine_of(request);
  return tpulab::seconds_of(steady_step(request, machine), machine);
}

void expect_takes(const std::string& slice, std::int64_t batch, const std::string& faster,
                  const std::string& slower) {
  const double open = seconds_of(small_decoder_on(slice, batch, "auto"));
  EXPECT_EQ(open, seconds_of(small_decoder_on(slice, batch, faster))) << slice;
  EXPECT_LT(open, seconds_of(small_decoder_on(slice, batch, slower))) << slice;
}

TEST(OpenMesh, shares_weights_that_would_fit_whole_where_a_step_is_faster_so) {
  expect_takes("v5p-128", 64, "fsdp=64", "data=64");
}

TEST(OpenMesh, keeps_replicas_where_they_are_faster) {
  expect_takes("v5p-8", 4, "data=4", "fsdp=4");
}

// Weights and gradients are less than half of HBM; with what four rows keep they are too much.
TEST(OpenMesh, shares_weights_where_replicas_alone_do_not_fit) {
  ForecastRequest request = small_decoder_on("v5p-128", 4 * 64, "auto");
  request.remat = Remat::none;
  const Machine machine = machine_of(request);
  EXPECT_FALSE(memory_in_run(resolved_step(request, machine), machine).fits());
  const ResolvedStep step = step_of_open_mesh(request, machine);
  EXPECT_EQ(step.mesh.fsdp, 64);
  EXPECT_TRUE(memory_in_run(step, machine).fits());
}

TEST(OpenMesh, leaves_what_somebody_said) {
  const ForecastRequest request = decoder_on("v5p-128", 64, "data=64");
  EXPECT_EQ(step_of_open_mesh(request, machine_of(request)).mesh.data, 64);
}

TEST(OpenMesh, is_replicas_of_networks_that_fit_every_device) {
  const ForecastRequest request{.model = "bert-large", .slice = "v4-32", .batch = 128};
  EXPECT_EQ(step_of_open_mesh(request, machine_of(request)).mesh.data, 16);
}

}  // namespace
}  // namespace tpulab::open_mesh_test
