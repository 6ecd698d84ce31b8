#include "commands/pasted.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::pasted_test {
namespace {

TEST(Pasted, lines_of_notebooks_are_answered_and_end_no_script) {
  Desk desk;
  for (const char* line : {"!pip install lightning",
                           "import torch_xla",
                           "from lightning import Trainer",
                           "xm.mark_step()",
                           "loss.item()",
                           "met.metrics_report()",
                           "print(met.metrics_report())",
                           "class Lit(LightningModule):",
                           "xr.initialize_cache('/tmp/xla')",
                           "model.to(device)",
                           "trainer.test(model)",
                           "gcloud compute tpus tpu-vm list",
                           "super().__init__()",
                           "self.net = nn.Linear(64, 10)",
                           "print(loss)",
                           "@jax.jit",
                           "optimizer.zero_grad()",
                           "with torch.no_grad():",
                           "jax.devices()",
                           "params = net.init(key, x)",
                           "model = nn.Sequential(nn.LSTM(64, 10))",
                           "model = Net()",
                           "pred = model(X)",
                           "loss = loss_fn(pred, y)"}) {
    const Reply reply = desk.type(line);
    EXPECT_FALSE(reply.failed) << line;
    EXPECT_FALSE(reply.lines.empty()) << line;
  }
  EXPECT_TRUE(desk.type("from").failed);
}

TEST(Pasted, devices_of_a_script_are_told_to_be_those_of_a_tpu) {
  Desk desk;
  for (const char* line : {"device = \"cuda\" if torch.cuda.is_available() else \"cpu\"",
                           "device = torch.device('cuda')"}) {
    EXPECT_EQ(desk.type(line).lines.front().find("the devices here are those of a TPU"), 0U)
        << line;
  }
  EXPECT_EQ(desk.type("model = Net().to(device)").lines.front().find("a run brings the model"), 0U);
}

// What an answer says is typed.
TEST(Pasted, arguments_that_are_settings_here_are_named_as_they_are_typed) {
  struct Case {
    std::string_view pasted;
    std::string_view settings;
  };
  for (const Case& one :
       {Case{"loader = DataLoader(train, batch_size=64, num_workers=4, drop_last=True)",
             "batch 64; loader_workers 4; drop_last on"},
        Case{"opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)",
             "optimizer sgd; learning_rate 0.1; momentum 0.9"},
        Case{"optimizer = optim.AdamW(self.parameters(), lr=1e-3, weight_decay=0.05)",
             "optimizer adamw; learning_rate 1e-3; weight_decay 0.05"},
        Case{"opt = torch.optim.Adam(net.parameters(), 3e-4)",
             "optimizer adam; learning_rate 3e-4"},
        Case{"DataLoader(ds, 64, num_workers=2)", "batch 64; loader_workers 2"},
        Case{"model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.1), "
             "nn.Linear(128, 10))",
             "model \"dense 128 relu | dense 10\""},
        Case{"net = torch.nn.Sequential(nn.Conv2d(1, 16, kernel_size=3, padding=1), nn.ReLU(), "
             "nn.MaxPool2d(2), nn.Flatten(), nn.Linear(256, 10))",
             "model \"conv 16 3x3 relu | maxpool 2 | flatten | dense 10\""},
        Case{"pl.seed_everything(7)", "seed 7"}}) {
    Desk desk;
    const Reply reply = desk.type(std::string(one.pasted));
    ASSERT_FALSE(reply.failed) << one.pasted;
    EXPECT_EQ(fmt::format("{}", fmt::join(reply.lines, " ")),
              "not set by it; here that is: " + std::string(one.settings));
    EXPECT_FALSE(desk.type(std::string(one.settings)).failed) << one.settings;
  }
}

TEST(Pasted, tells_no_setting_that_would_be_refused_or_is_of_another_call) {
  Desk desk;
  for (const char* const line :
       {"self.bn = nn.BatchNorm2d(64, momentum=0.1)", "s = torch.OneCycleLR(opt, max_lr=0.1)",
        "torch.manual_seed(-1)", "torch.optim.RMSprop(p, lr=0.1, momentum=0.999)"}) {
    const Reply reply = desk.type(line);
    EXPECT_FALSE(reply.failed) << line;
    EXPECT_EQ(reply.lines.front().find("not set by it"), std::string::npos) << reply.lines.front();
  }
  EXPECT_EQ(desk.type("torch.optim.Adam(p, lr=nan)").lines.front(),
            "not set by it; here that is: optimizer adam");
  EXPECT_EQ(desk.type("torch.optim.Adam(p, lr = 1e-3)").lines.front(),
            "not set by it; here that is: optimizer adam; learning_rate 1e-3");
}

// A setting that is mistyped ends a script as ever.
TEST(Pasted, answers_no_setting_whose_value_has_brackets) {
  Desk desk;
  for (const char* const line : {"data=train(1).csv", "batch=int(64)", "batch = int(64)",
                                 "slice=v(3)", "lr=0.1", "batch_size=64"}) {
    EXPECT_TRUE(desk.type(line).failed) << line;
  }
}

TEST(Pasted, parentheses_of_python_leave_too) {
  Desk desk;
  EXPECT_TRUE(desk.type("quit()").change.quit);
  EXPECT_TRUE(desk.type("exit()").change.quit);
}

}  // namespace
}  // namespace tpulab::pasted_test
