#include "commands/fit_call.h"

#include <gtest/gtest.h>

#include "tests/commands/desk.h"

namespace tpulab::fit_call_test {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string refusal(const std::string& line) {
  Desk desk;
  const Reply reply = desk.type(line);
  EXPECT_TRUE(reply.failed) << line;
  EXPECT_EQ(desk.engine.latest()->run.number, 0) << line;  // nothing ran
  return reply.lines.empty() ? "" : reply.lines.front();
}

TEST(FitCall, takes_the_names_that_lightnings_has) {
  for (const char* line : {"trainer.fit(model)", "self.trainer.fit(model, train_loader, None)",
                           "trainer.fit(MyModel(), datamodule=dm, ckpt_path=None,)"}) {
    EXPECT_TRUE(is_fit_call(line)) << line;
    EXPECT_NO_THROW(check_fit_call(line)) << line;
  }
  EXPECT_FALSE(is_fit_call("x = trainer.fit(model)"));
  EXPECT_FALSE(is_fit_call("fit max_steps=2"));
}

TEST(FitCall, leaves_nothing_out_without_a_word) {
  EXPECT_EQ(refusal("trainer.fit(model, max_epochs=1)"),
            "Trainer.fit() got an unexpected keyword argument 'max_epochs'; it is Trainer's: type "
            "`max_epochs 1`, then `trainer.fit(model)`");
  EXPECT_TRUE(has(refusal("trainer.fit(model, epochs=1)"), "it takes model, train_dataloaders"));
  EXPECT_TRUE(has(refusal("trainer.fit(model, 5)"), "by their names, not 5"));
  EXPECT_TRUE(has(refusal("trainer.fit(model, ckpt_path='last.ckpt')"), "`resume FILE`"));
  EXPECT_TRUE(has(refusal("trainer.fit(model, ckpt_path=path)"), "`resume FILE`"));
  EXPECT_TRUE(has(refusal("trainer.fit(model,,)"), "an argument is empty"));
}

TEST(FitCall, that_is_refused_trains_as_long_once_its_hint_is_typed) {
  Desk desk;
  desk.type("max_epochs 1");
  EXPECT_FALSE(desk.type("trainer.fit(model)").failed);
  EXPECT_EQ(desk.engine.latest()->run.epoch, 1);
}

}  // namespace
}  // namespace tpulab::fit_call_test
