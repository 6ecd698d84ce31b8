#include "commands/mesh_words.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::mesh_words_test {
namespace {

using Lines = std::vector<std::string>;

TEST(MeshWords, name_meshes_of_as_many_devices_that_divide_otherwise) {
  const Lines told = mesh_lines({{"adam", "slices=1/data=1/fsdp=64/tensor=1", 64},
                                 {"sgd", "slices=1/data=64/fsdp=1/tensor=1", 64}});
  EXPECT_EQ(told, Lines{"mesh: data=64 (sgd); fsdp=64 (adam)"});
}

TEST(MeshWords, say_nothing_of_other_slices_or_of_one_device) {
  EXPECT_EQ(mesh_lines({{"8", "data=8/fsdp=1", 8}, {"16", "data=16/fsdp=1", 16}}), Lines{});
  EXPECT_EQ(mesh_lines({{"8", "data=8/fsdp=1", 8}, {"one", "data=1/fsdp=1", 8}}), Lines{});
  EXPECT_EQ(mesh_lines({{"now", "data=8", 8}, {"then", "", 8}}), Lines{});
}

// Two moments of Adam need weights that are shared, sgd has none.
TEST(MeshWords, tell_where_an_open_mesh_is_resolved_otherwise) {
  Desk desk;
  desk.type("set model=llama2-7b slice=v5p-8 stack=jax precision=bf16-true remat=full batch=1");
  EXPECT_NE(desk.answer("whatif optimizer=sgd").find("mesh: data=4 (then); fsdp=4 (now)"),
            std::string::npos);
  EXPECT_NE(desk.answer("sweep optimizer=adam,sgd").find("mesh: data=4 (sgd); fsdp=4 (adam)"),
            std::string::npos);
}

}  // namespace
}  // namespace tpulab::mesh_words_test
