#include "commands/what_fits.h"

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "tests/commands/desk.h"

namespace tpulab::what_fits_test {
namespace {

// The lines behind "What would fit: ", or "What would divide: ", and "or: ".
std::vector<std::string> lines_that_fit(const std::string& refusal) {
  std::vector<std::string> lines;
  for (const std::string& line : split(refusal, '\n')) {
    for (const std::string start : {"What would fit: ", "What would divide: ", "or: "}) {
      if (line.starts_with(start)) lines.push_back(line.substr(start.size()));
    }
  }
  return lines;
}

void expect_lines_that_work(const std::string& question) {
  Desk desk{Settings{}};
  const std::string refusal = desk.answer(question);
  const std::vector<std::string> lines = lines_that_fit(refusal);
  EXPECT_FALSE(lines.empty()) << question << "\n" << refusal;
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.starts_with(split(question, ' ')[0] + " ")) << line;
    const Reply reply = desk.type(line);
    EXPECT_FALSE(reply.failed) << question << "\n" << line << "\n" << reply.lines.front();
  }
}

TEST(WhatFits, is_told_as_a_line_that_takes_the_place_of_the_one_that_was_typed) {
  for (const char* question :
       {"forecast model=resnet50 slice=v2-8 batch=1024",
        "forecast model=resnet50 slice=v2-8 batch.global=8192",
        "forecast model=llama3-8b slice=v5e-4 batch=1 stack=jax precision=bf16-mixed",
        "whatif model=llama3-8b", "whatif model=resnet50 batch=1024",
        "run model=resnet50 slice=v2-8 batch=1024 numbers=off max_steps=5",
        "forecast hidden=(16384,16384,16384,16384) slice=v2-8",
        "forecast model=\"dense 65536 | dense 65536 | dense 10\" slice=v5e-8",
        "forecast model=mixtral-8x7b slice=v5p-128 stack=jax batch=4 remat=full mesh=pipeline=4"}) {
    expect_lines_that_work(question);
  }
}

TEST(WhatFits, is_a_mesh_or_a_batch_that_divides_where_what_was_typed_does_not) {
  for (const char* question :
       {"forecast model=stable-diffusion-2 slice=v5e-16 mesh=tensor=8 batch=1/8",
        "forecast model=resnet50 batch=1/2", "set model=resnet50 mesh=tensor=2 batch=1/2",
        "set model=deepseek-v3 slice=v5p-512 stack=jax batch=1 mesh=pipeline=2/microbatches=2",
        "set model=llama3-405b slice=v5p-2048 mesh=pipeline=4/microbatches=4",
        "set model=bert-large mesh=pipeline=4/microbatches=8 batch=3",
        "forecast model=bert-large batch=1/3"}) {
    expect_lines_that_work(question);
  }
}

TEST(WhatFits, beside_a_mesh_is_whatever_else_the_line_needs) {
  for (const char* question :
       {"forecast model=llama3-8b slice=v6e-8 stack=jax mesh=fsdp=4/tensor=4",
        "forecast model=llama3-8b slice=v6e-8 stack=jax mesh=tensor=3/fsdp=8",
        "forecast model=llama3-8b slice=v5e-8 mesh=fsdp=3",
        "whatif model=llama3-8b slice=v6e-8 stack=jax mesh=expert=8",
        "forecast model=llama3-405b slice=v5p-2048 stack=jax precision=bf16-mixed batch=1 "
        "remat=full mesh=pipeline=2/microbatches=8"}) {
    expect_lines_that_work(question);
  }
}

TEST(WhatFits, is_not_said_of_a_mesh_that_divides_alone) {
  Desk desk{Settings{}};
  desk.type("slice 4xv5e-16; model llama2-7b");
  EXPECT_EQ(desk.answer("mesh data=8/fsdp=8"),
            "mesh data=8/fsdp=8 does not fit 4xv5e-16: its parts must multiply to 16 devices in "
            "each slice, as joined slices are replicas here, not 64.\nWhat would divide: set "
            "mesh=data=2/fsdp=8");
  desk.type("batch 1; precision bf16-true; remat full; batch 1/2");
  EXPECT_TRUE(desk.answer("mesh data=8/fsdp=8")
                  .ends_with("\nWhat would fit: set mesh=data=2/fsdp=8 batch=1"));
}

TEST(WhatFits, of_a_slice_that_came_behind_the_mesh_is_the_nearest_mesh_on_it) {
  Desk desk{Settings{}};
  desk.type("slice 4xv5e-16; model llama2-7b; mesh data=2/fsdp=8; model mlp; slice v3-8");
  EXPECT_NE(desk.answer("model llama2-7b").find("\nWhat would divide: set model=llama2-7b mesh=fs"),
            std::string::npos);
}

TEST(WhatFits, of_heads_that_a_tensor_group_does_not_divide_is_the_nearest_that_does) {
  Desk desk{Settings{}};
  desk.type("model bert-base; slice v5e-16");
  EXPECT_EQ(desk.answer("mesh tensor=8"),
            "a tensor group of 8 does not divide the 12 heads.\nWhat would fit: set mesh=tensor=4");
}

TEST(WhatFits, is_not_what_the_settings_are_already) {
  Desk desk{Settings{}};
  desk.type("model stable-diffusion-2; slice v5e-16");
  EXPECT_EQ(desk.answer("mesh tensor=8"),
            "a tensor group of 8 does not divide the 5 heads; choose a divisor");
  EXPECT_NE(desk.answer("forecast slice=v5e-8 batch=1 mesh=tensor=8").find(" mesh=auto"),
            std::string::npos);
}

TEST(WhatFits, keeps_what_was_typed_and_fits) {
  Desk desk{Settings{}};
  const std::string refusal = desk.answer("forecast model=resnet50 slice=v2-8 batch=1024");
  EXPECT_NE(refusal.find("\nWhat would fit: forecast model=resnet50 slice=v2-8 batch=112\n"),
            std::string::npos)
      << refusal;
}

TEST(WhatFits, lets_no_more_devices_share_a_row_than_are_enough) {
  Desk desk{Settings{}};
  const std::string refusal = desk.answer("forecast model=llama3-8b");
  EXPECT_NE(refusal.find("precision=bf16-true batch=1/2\n"), std::string::npos) << refusal;
}

TEST(WhatFits, names_a_near_mesh_of_the_largest_slice_too) {
  Desk desk{Settings{}};
  desk.type("stack jax; precision bf16-mixed; remat full; model llama3-70b; slice v7-18432");
  const std::string refusal = desk.answer("forecast mesh=fsdp=100/tensor=7");
  const std::vector<std::string> lines = lines_that_fit(refusal);
  EXPECT_FALSE(lines.empty()) << refusal;
  for (const std::string& line : lines) EXPECT_FALSE(desk.type(line).failed) << line;
  // Six parts, of which there are a million ways.
  const char* parts = "data=7/fsdp=5/tensor=11/expert=2/context=2/pipeline=5/microbatches=3000001";
  EXPECT_TRUE(desk.type(std::string("forecast mesh=") + parts).failed);
}

TEST(WhatFits, of_a_table_of_one_row_is_told_as_a_forecast) {
  Desk desk{Settings{}};
  for (const char* question : {"compare v2-8 model=resnet50 batch=1024",
                               "sweep hidden=(16384,16384,16384,16384) slice=v2-8"}) {
    const std::vector<std::string> lines = lines_that_fit(desk.answer(question));
    EXPECT_FALSE(lines.empty()) << question;
    for (const std::string& line : lines) EXPECT_FALSE(desk.type(line).failed) << line;
  }
}

TEST(WhatFits, is_the_change_itself_where_that_is_what_was_asked) {
  Desk desk{Settings{}};
  desk.type("model llama3-8b; slice v6e-16; stack jax; precision bf16-mixed; batch 3");
  const std::string refusal = desk.answer("whatif remat=full");
  const std::string told = "\nWith the change it fits: `forecast remat=full` tells of it";
  EXPECT_TRUE(refusal.starts_with("now there is no step to compare: RESOURCE_EXHAUSTED"));
  EXPECT_TRUE(refusal.ends_with(told)) << refusal;
  EXPECT_FALSE(desk.type("forecast remat=full").failed);
}

TEST(WhatFits, is_told_for_the_prompt_where_the_settings_do_not_fit) {
  Desk desk{Settings{}};
  desk.type("model resnet50; slice v2-8; batch 1024");
  for (const char* question : {"forecast", "whatif seed=2"}) {
    const std::string refusal = desk.answer(question);
    EXPECT_NE(refusal.find("\nWhat would fit: `batch 112`, or `slice"), std::string::npos)
        << refusal;
  }
}

TEST(WhatFits, keeps_scores_of_attention_out_of_hbm_where_they_fill_it) {
  Desk desk{Settings{}};
  desk.type("model llama2-7b; slice v5e-16; precision bf16-true; remat full");
  const std::string refusal = desk.answer("forecast batch=4");
  EXPECT_NE(refusal.find("What would fit: forecast batch=4 attention=fused\n"), refusal.npos)
      << refusal;
  EXPECT_FALSE(desk.type("forecast batch=4 attention=fused").failed);
}

}  // namespace
}  // namespace tpulab::what_fits_test
