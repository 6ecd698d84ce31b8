#include "commands/pasted.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::pasted_test {
namespace {

TEST(Pasted, lines_of_notebooks_are_answered_and_end_no_script) {
  Desk desk;
  for (const char* line :
       {"!pip install lightning", "import torch_xla", "from lightning import Trainer",
        "xm.mark_step()", "loss.item()", "met.metrics_report()", "print(met.metrics_report())",
        "class Lit(LightningModule):", "xr.initialize_cache('/tmp/xla')", "model.to(device)",
        "trainer.test(model)", "gcloud compute tpus tpu-vm list"}) {
    const Reply reply = desk.type(line);
    EXPECT_FALSE(reply.failed) << line;
    EXPECT_FALSE(reply.lines.empty()) << line;
  }
  EXPECT_TRUE(desk.type("from").failed);
}

}  // namespace
}  // namespace tpulab::pasted_test
