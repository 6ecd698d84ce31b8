// checkpoint: the newest run as a file from which `resume` goes on.
#include <fmt/format.h>

#include <chrono>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"

namespace tpulab {

namespace {

Reply checkpoint(Arguments arguments, CommandContext& context) {
  if (arguments.size() != 1)
    throw Error("checkpoint needs a file; usage: checkpoint FILE.safetensors");
  const std::string file = file_named(arguments[0]);
  if (!file.ends_with(".safetensors")) {
    throw Error("`checkpoint` writes a .safetensors file; name one");
  }
  const std::int64_t newest = newest_line(context.engine);
  const bool idle = context.engine.wait_for(std::chrono::milliseconds(0));
  post(context, SaveCheckpoint{file});
  Reply reply;
  if (context.interactive) {
    // An idle engine says at once what has come of it.
    if (idle) return reply;
    reply.lines.push_back(fmt::format("{} is written when the step under way has ended", file));
    return reply;
  }
  wait_until_idle(context);
  if (const auto refusal = said_after(context.engine, newest, "impossible")) {
    throw Impossible(*refusal);
  }
  if (const auto failure = said_after(context.engine, newest, "failure")) throw Error(*failure);
  reply.fields = {{"file", file}};
  return reply;
}

}  // namespace

extern const Command checkpoint_command;
const Command checkpoint_command{
    "checkpoint",
    "checkpoint FILE.safetensors",
    "Write the newest run, so that `resume FILE` goes on from there.",
    "Weights, optimizer state, step, place in the epoch and all settings; random numbers follow "
    "from seed, step and epoch. The file has the published format of safetensors, the arrays under "
    "the "
    "names of their parameters. A file that is there is replaced whole or not at all. A run under "
    "way goes on; it is written between two steps.",
    checkpoint,
};

}  // namespace tpulab
