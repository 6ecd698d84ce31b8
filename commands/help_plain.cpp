// The page `help plain`.
#include "commands/help_plain.h"

namespace tpulab {

namespace {

constexpr std::string_view lines_on_plain = R"(
The dashboard is one way to see a run; what it shows is said in lines, too.

tpulab --plain     lines of text and a prompt, nothing is drawn or moved: for
                   screen readers, braille displays, slow lines, TERM=dumb.
                   Commands, lessons and answers are the same
tpulab --ascii     the dashboard with ASCII signs alone: `help legend`
NO_COLOR=1         no colours (so does --color never); bars and lanes have a
                   sign for each share, and words beside them
theme NAME         other colours: `theme` lists them
tpulab --no-run    begins without the default experiment

What the panes show, in lines: `metrics` is the report, `explain` the step and
its bound, `explain core` a core, `explain dot` kernels, `advise` what to do,
`runs diff 1 2` two runs, `show` the settings.

At a plain prompt the lines of a run come as it goes, and the prompt when it
has ended; commands can be typed meanwhile. Enter goes on with a lesson.
Ctrl-C stops the run, a second one leaves, and so does `quit`.

From a script: tpulab -c "run max_steps=20; metrics", with --json a line of
JSON for each event and reply.
)";

}  // namespace

std::string_view plain_text() { return lines_on_plain; }

}  // namespace tpulab
