// The dashboard itself: keys in, pictures out. What keys do is in dashboard_keys.cpp.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "commands/advice_watch.h"
#include "commands/ask.h"
#include "commands/candidate_words.h"
#include "tui/app.h"
#include "tui/prompt/dialogue.h"
#include "tui/prompt/prompt.h"
#include "tui/screen/screen.h"
#include "tui/terminal/events.h"
#include "tui/terminal/keyboard.h"
#include "tui/terminal/stray_output.h"
#include "tui/theme_choice.h"
#include "tui/walk/panes.h"
#include "tui/walk/reader.h"

namespace tpulab {

class Dashboard {
 public:
  Dashboard(Engine& engine, Settings& settings, const AppOptions& options);
  ~Dashboard();
  Dashboard(const Dashboard&) = delete;
  Dashboard& operator=(const Dashboard&) = delete;
  int run(bool start_run);

 private:
  using Clock = Events::Clock;
  // What a key has changed.
  enum class Redraw { nothing, prompt, all };

  void handle(const Happened& happened);
  void handle_signal(int signal);
  void handle_event(const InputEvent& event);
  void use_theme();
  bool begins_answer(const InputEvent& event) const;
  void handle_mouse(const InputEvent& event);
  void handle_prompt_event(const InputEvent& event);
  void handle_escape();
  void act(PanesAction action);
  void act_on_screen(PanesAction action);
  void open_chosen(const Opened& opened);
  void copy();
  void save();
  Panes::Door door();
  void handle_view_event(const InputEvent& event);
  void interrupt();
  void stop_innermost();
  bool press_on_advice(const InputEvent& event);
  void welcome(char key);
  void begin_run(const std::string& commands);
  bool offers_only() const { return welcome_ && !welcomed_; }
  void list_candidates(std::string_view line_before);
  void take_typed();
  void show_reply(const Reply& reply);
  bool show_compared(const Reply& reply);
  void offer(std::span<const OutputLine> lines, std::string_view title, bool of_lesson);
  bool in_lesson() const { return dialogue_.context().lesson != nullptr; }
  std::vector<OutputLine> answers_since(std::int64_t count, bool at_once) const;
  void choose_theme(const std::string& name);
  void keep(std::string_view name, std::string_view text) const;
  void toggle_pause();
  bool has_run() const { return run_is_active(dialogue_.context()); }
  void take_snapshot();
  void draw();
  bool look_inside();
  int room_for_answers() const;
  std::string hint_line() const;
  ScreenState screen_state() const;
  std::optional<Clock::time_point> next_deadline() const;

  Engine& engine_;
  Settings& settings_;
  Dialogue dialogue_;
  Glyphs glyphs_;
  Reader reader_;
  ThemeChoice theme_;
  Terminal terminal_;
  StrayOutput stray_;
  Events events_;
  Prompt prompt_;
  Keyboard keyboard_;

  bool keeps_;  // what a person has chosen, for later sessions

  std::shared_ptr<const Snapshot> now_;
  AdviceWatch advice_;
  bool welcome_;           // the first start: three keys act until a command is typed
  bool welcomed_ = false;  // one of them was pressed: now advice goes before them
  std::string offered_;    // what Enter applies: of the advice on the screen
  Panes panes_;
  std::int64_t priced_ = 0;  // of the engine's programs, the one whose kernels the panes have
  static constexpr std::string_view stop_note = "Ctrl-C: the run ends after its current step";
  static constexpr std::string_view held_note =
      "wait holds what follows until the run ends; Ctrl-C drops it";

  std::vector<Candidate> listed_;  // what Tab could not decide between, until the next key
  int listed_page_ = 0;
  std::string note_;       // until the next key
  bool compared_ = false;  // the newest line has put two runs on the screen
  bool published_ = true;
  Redraw redraw_ = Redraw::all;
  DrawnScreen drawn_;
  Clock::time_point next_frame_{};
  std::optional<int> exit_code_;
};

}  // namespace tpulab
