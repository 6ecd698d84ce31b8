#include "commands/lessons/lesson.h"

#include <gtest/gtest.h>

#include "commands/lessons/shelf.h"
#include "engine/base/error.h"
#include "tests/commands/desk.h"

namespace tpulab::lesson_test {
namespace {

const std::string head = "title One\nabout two\nhides three\n";

std::string refusal(const std::string& text) {
  try {
    parse_lesson(text, "my.lesson");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Lesson, lines_that_begin_with_a_blank_go_on_and_comments_go) {
  const Lesson lesson = parse_lesson(head + "# no step\nsay one\n  two\n\tthree\nstop\n",
                                     "folder/07-some-name.lesson");
  EXPECT_EQ(lesson.name, "some-name");
  EXPECT_EQ(lesson.number, 7);
  ASSERT_EQ(lesson.steps.size(), 2U);
  EXPECT_EQ(lesson.steps[0].text, "one two three");
  EXPECT_EQ(lesson.steps[1].word, StepWord::stop);
}

TEST(Lesson, what_it_hides_must_be_said) {
  EXPECT_EQ(refusal("title a\nabout b\nsay c\n"),
            "my.lesson:3: expected a line `hides TEXT`: what it leaves out");
  EXPECT_EQ(refusal(""), "my.lesson:1: expected a line `title TEXT`");
  EXPECT_EQ(refusal(head), "my.lesson:3: expected steps, such as `say TEXT`");
}

TEST(Lesson, an_error_names_file_line_and_what_was_expected) {
  EXPECT_NE(refusal(head + "sey hello\n").find("my.lesson:4: expected one of title, about"),
            std::string::npos);
  EXPECT_EQ(refusal(head + "say a\n> ;\n"), "my.lesson:5: expected a command to type");
  EXPECT_NE(refusal(head + "say a {b\n").find("my.lesson:4: expected a }"), std::string::npos);
  EXPECT_NE(refusal(head + "check step\n").find("my.lesson:4: 'step': expected one of < <="),
            std::string::npos);
  EXPECT_NE(refusal(head + "hint no step\n").find("my.lesson:4: 'hint' does not belong"),
            std::string::npos);
  EXPECT_NE(refusal(head + "predict a\nsay b\n").find("expected `answer EXPRESSION`"),
            std::string::npos);
  EXPECT_NE(refusal(head + "choose a\nwrong b\nwrong c\n").find("one `right TEXT`"),
            std::string::npos);
  EXPECT_NE(refusal(head + "choose a\nright b\nright c\n").find("expected one right answer"),
            std::string::npos);
  EXPECT_NE(refusal(head + "fault batch 0\n").find("my.lesson:4: batch cannot be 0"),
            std::string::npos);
  EXPECT_NE(refusal(head + "solve run\n").find("'solve' does not belong"), std::string::npos);
  EXPECT_NE(refusal(head + "keep A = step\n").find("small letters"), std::string::npos);
}

TEST(Lesson, commands_that_leave_write_or_read_files_are_refused) {
  for (const char* command :
       {"quit", "lesson 1", "metrics compare a b", "analyse /etc/passwd", "clear", "theme dark",
        "batch 8; quit", "handout x.md", "source x", "nonsense"}) {
    EXPECT_NE(refusal(head + "> " + command + "\n").find("my.lesson:4: expected a setting or one"),
              std::string::npos)
        << command;
  }
  for (const char* command : {"batch 8", "batch=8; run", "Trainer(devices=1)", "trainer.fit(m)",
                              "metrics", "explain dot"}) {
    EXPECT_EQ(refusal(head + "> " + command + "\n"), "") << command;
  }
}

TEST(Lesson, one_that_is_too_large_is_refused) {
  EXPECT_NE(refusal(head + "say " + std::string(70'000, 'x')).find("at most 64 KiB"),
            std::string::npos);
  std::string many = head;
  for (int i = 0; i < 501; ++i) many += "stop\n";
  EXPECT_NE(refusal(many).find("expected at most 500 steps"), std::string::npos);
}

TEST(Lesson, figures_are_filled_in_and_unknown_ones_are_question_marks_or_errors) {
  const FigureScope scope = [](const std::string& name,
                               const FactChoice&) -> std::optional<LessonValue> {
    if (name != "step") return std::nullopt;
    return LessonNumber{0.004, LessonUnit::seconds};
  };
  EXPECT_EQ(filled_in("a step takes {step}, half {step / 2}", scope, true),
            "a step takes 4.00 ms, half 2.00 ms");
  EXPECT_EQ(filled_in("{loss}", scope, false), "?");
  EXPECT_THROW(filled_in("{loss}", scope, true), Error);
}

TEST(Lessons, are_numbered_from_one_without_a_gap) {
  int number = 0;
  for (const Lesson& lesson : all_lessons()) EXPECT_EQ(lesson.number, ++number) << lesson.name;
  EXPECT_GT(number, 0);
}

// What Lightning's page on TPUs claims, sentence by sentence.
TEST(Lessons, look_into_every_sentence_of_the_page) {
  std::string all;
  for (const Lesson& lesson : all_lessons()) {
    for (const std::string& sentence : lesson.page) all += sentence + "\n";
  }
  for (const char* sentence :
       {"Lightning supports running on TPUs.",
        "TPUs are available on Google Cloud (GCP)",
        "an AI accelerator application-specific integrated circuit",
        "A TPU has 8 cores where each core is optimized for 128x128 matrix multiplies.",
        "a single TPU is about as fast as 5 V100 GPUs!",
        "A TPU pod hosts many TPUs on it.",
        "up to 2048 TPU cores and 32 TiB of memory!",
        "You can request a full pod",
        "To run on different cores, modify the devices argument.",
        "run on as many TPUs as available by default",
        "run on one TPU core",
        "run on multiple TPU cores",
        "run on one specific TPU core: the 2nd core (index 1)",
        "choose the number of cores automatically",
        "there are three main ways",
        "Colab is like a jupyter notebook",
        "This will give you a TPU with 8 cores.",
        "This will install the xla library that interfaces between PyTorch and the TPU.",
        "specific workloads and operations",
        "NLP tasks, sequential convolutional networks",
        "training on TPUs is slower when compared with GPUs",
        "Too small batch size.",
        "Explicit evaluation of tensors during training, e.g. tensor.item()",
        "Tensor shapes (e.g. model inputs) change often during training.",
        "Limited resources when using TPU's with PyTorch",
        "XLA Graph compilation during the initial steps",
        "Some tensor ops are not fully supported on TPU",
        "performance guide",
        "the metrics report allows one to identify operations"}) {
    EXPECT_NE(all.find(sentence), std::string::npos) << sentence;
  }
}

// Each epoch's evaluation, and the lengths of two loaders, one of them for the validation that
// comes before the first step.
TEST(Lessons, on_fallbacks_know_whose_reads_those_of_its_run_are) {
  const auto reads = [](const std::string& options) {
    Facts facts;
    facts.add(Desk(Settings()).type("run numbers=off max_steps=30 " + options + "; metrics"));
    return text_of(*facts.find("value", {.key = "name", .value = "aten::_local_scalar_dense"}));
  };
  EXPECT_EQ(reads(""), "8");
  EXPECT_EQ(reads("log_every_n_steps=0"), "8");
  EXPECT_EQ(reads("limit_val_batches=0"), "1");
  EXPECT_EQ(reads("num_sanity_val_steps=0"), "7");
}

TEST(Lessons, are_found_by_number_and_name_and_else_the_nearest_is_named) {
  EXPECT_EQ(lesson_named("1").name, "one-core");
  EXPECT_EQ(lesson_named("one-core").number, 1);
  try {
    lesson_named("one-cor");
    FAIL() << "there is no such lesson";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "there is no lesson 'one-cor'; did you mean `lesson one-core`?");
  }
}

}  // namespace
}  // namespace tpulab::lesson_test
