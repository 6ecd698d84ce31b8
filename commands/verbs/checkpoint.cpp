// checkpoint: the newest run as a file from which `resume` goes on.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "commands/ask.h"
#include "commands/words.h"
#include "engine/base/error.h"
#include "engine/session/settings/setting_values.h"

namespace tpulab::checkpoint_command {

namespace {

// A run would find it out much later, when it has something to lose.
void check_can_be_written(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw Error(fmt::format("cannot write {}: there is no folder {}; make it or name another",
                            file.string(), folder.string()));
  }
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    throw Error(fmt::format("cannot write {}: it is no file; give another name", file.string()));
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw Error(fmt::format("cannot write {}: {}; name a file in a folder of your own",
                            file.string(), std::strerror(errno)));
  }
}

std::string checkpoint_file(std::string_view argument) {
  std::string file = file_named(argument);
  if (!file.ends_with(".safetensors")) {
    throw Error("`checkpoint` writes a .safetensors file; name one");
  }
  check_can_be_written(file);
  return file;
}

SaveCheckpoint request_of(const std::string& file, std::int64_t every = -1) {
  return {file, every, in_quotes_if_needed(file)};
}

constexpr const char* usage =
    "checkpoint needs a file; usage: checkpoint FILE.safetensors [every STEPS] | off";

// Of every run from now on, which saves as often: a run that is preempted goes back to that.
Reply keep(Arguments arguments, CommandContext& context) {
  const auto steps = whole_number(arguments[2]);
  if (arguments[1] != "every" || !steps || *steps < 1) {
    throw Error(
        "behind the file stands `every` and a whole number of steps from 1: checkpoint "
        "FILE.safetensors every 100");
  }
  const SaveCheckpoint wanted = request_of(checkpoint_file(arguments[0]), *steps);
  Reply reply = set_all(context, {{"save_every_n_steps", std::to_string(*steps)}});
  reply.lines.insert(
      reply.lines.begin(),
      fmt::format("every run is written to {} behind {}", wanted.file,
                  *steps == 1 ? "each step" : fmt::format("every {} steps", *steps)));
  post(context, wanted);
  reply.fields = {{"file", wanted.file}, {"every", wanted.every}};
  return reply;
}

Reply keep_no_more(CommandContext& context) {
  post(context, SaveCheckpoint{"", 0});
  Reply reply;
  reply.lines.emplace_back("runs are not written to a file any more");
  if (context.settings.save_every_n_steps > 0) {
    reply.lines.push_back(fmt::format("save_every_n_steps is still {}, which costs its time",
                                      context.settings.save_every_n_steps));
  }
  return reply;
}

Reply checkpoint(Arguments arguments, CommandContext& context) {
  if (arguments.size() == 3) return keep(arguments, context);
  if (arguments.size() == 1 && arguments[0] == "off") return keep_no_more(context);
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
    "the names of their parameters, and a checksum by which `resume` refuses a damaged one. A file "
    "that is there is replaced whole or not at all. A run under "
    "way goes on; what is written is how it stood between two steps. every: each run from now on, "
    "while it goes on, until `off`; it sets save_every_n_steps, which says how often from then on, "
    "what it costs and where a preempted run goes back to.",
    checkpoint,
};

}  // namespace tpulab::checkpoint_command
