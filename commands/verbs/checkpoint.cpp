// checkpoint: the newest run as a file from which `resume` goes on.
#include <fmt/format.h>

#include <chrono>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::checkpoint_command {

namespace {

std::string checkpoint_file(std::string_view argument) {
  std::string file = file_named(argument);
  if (file.ends_with(".safetensors")) return file;
  throw Error("`checkpoint` writes a .safetensors file; name one");
}

SaveCheckpoint request_of(const std::string& file, std::int64_t every = -1) {
  return {file, every, in_quotes_if_needed(file)};
}

constexpr const char* usage =
    "checkpoint needs a file; usage: checkpoint FILE.safetensors [every STEPS] | off";

// Of every run from now on; "off" takes it back.
Reply keep(Arguments arguments, CommandContext& context) {
  SaveCheckpoint wanted{"", 0};
  Reply reply;
  if (arguments.size() == 1) {
    reply.lines.push_back("runs are not written to a file any more");
  } else {
    const auto steps = whole_number(arguments[2]);
    if (arguments[1] != "every" || !steps || *steps < 1) {
      throw Error(
          "behind the file stands `every` and a whole number of steps from 1: checkpoint "
          "FILE.safetensors every 100");
    }
    wanted = request_of(checkpoint_file(arguments[0]), *steps);
    reply.lines.push_back(
        fmt::format("every run is written to {} behind {}", wanted.file,
                    *steps == 1 ? "each step" : fmt::format("every {} steps", *steps)));
  }
  post(context, wanted);
  reply.fields = {{"file", wanted.file}, {"every", wanted.every}};
  return reply;
}

Reply checkpoint(Arguments arguments, CommandContext& context) {
  if (arguments.size() == 3 || (arguments.size() == 1 && arguments[0] == "off")) {
    return keep(arguments, context);
  }
  if (arguments.size() != 1) throw Error(usage);
  const std::string file = checkpoint_file(arguments[0]);
  const std::int64_t newest = newest_line(context.engine);
  const bool idle = context.engine.wait_for(std::chrono::milliseconds(0));
  post(context, request_of(file));
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

extern const Command row;
const Command row{
    "checkpoint",
    "checkpoint FILE.safetensors [every STEPS] | off",
    "Write the newest run, so that `resume FILE` goes on from there.",
    "Weights, optimizer state, step, place in the epoch and all settings; random numbers follow "
    "from seed, step and epoch. The file has the published format of safetensors, the arrays under "
    "the "
    "names of their parameters. A file that is there is replaced whole or not at all. A run under "
    "way goes on; what is written is how it stood between two steps. every: each run from now on, "
    "while it goes on, until `off`.",
    checkpoint,
};

}  // namespace tpulab::checkpoint_command
