// Which steps of a recording are the same graph to the compiler.
#pragma once

#include <span>
#include <vector>

#include "engine/advice/script_calls.h"
#include "engine/advice/script_facts.h"

namespace tpulab {

// As ScriptFacts::graphs; `roles` are those of script.calls.
std::vector<ScriptGraph> graphs_of(const ScriptSteps& script, std::span<const CallRole> roles);

}  // namespace tpulab
