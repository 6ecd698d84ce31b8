#include "engine/runtime/made_program.h"

#include "engine/machine/price.h"

namespace tpulab {

namespace {

bool is_kept(const Program& program, const ProgramCache& cache, const Machine& machine) {
  const StackRow& stack = *machine.stack;
  return cache.keeps_on_disk() && stack.can_keep_programs() &&
         in_seconds(compile_time(program.compiled_nodes(), machine)) >=
             stack.least_kept_compile_seconds;
}

}  // namespace

bool loaded_from_disk(const Program& program, ProgramCache& cache, const Machine& machine) {
  const FingerprintKey& key = program.fingerprint.key;
  if (!is_kept(program, cache, machine)) return false;
  const bool there = cache.on_disk(key);
  cache.store(key);
  return there;
}

Event made_program(std::shared_ptr<const Program> program, const std::string& name,
                   const CompileCause& cause, ProgramCache& cache, Metrics& metrics,
                   const Machine& machine) {
  Event event{.kind = EventKind::compile,
              .count = program->compiled_nodes(),
              .program = program,
              .name = name,
              .cause = cause.brief,
              .differences = cause.all,
              .from_disk = loaded_from_disk(*program, cache, machine)};
  if (event.from_disk) {
    event.cause = "found on disk, where an earlier process left it";
    event.differences = std::make_shared<const std::vector<std::string>>(1, event.cause);
    metrics.count("CachedCompile");
    metrics.count("PersistentCacheHit");
  } else if (cache.keeps_on_disk()) {
    metrics.count("PersistentCacheMiss");
  }
  cache.insert(std::move(program));
  return event;
}

}  // namespace tpulab
