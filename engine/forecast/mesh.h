// How a mesh lies on a slice: the choices a request leaves open.
#pragma once

#include "engine/forecast/forecast.h"

namespace tpulab {

// Fills what is 0: all slices, no tensor group unless there are fewer rows than devices, fully
// sharded if `needs_sharding`, else replicas. Throws Error where it does not fit the slice or
// the batch does not divide.
Mesh resolved_mesh(const Mesh& asked, const Slice& slice, std::int64_t batch, bool needs_sharding);

// "auto" leaves all open; else parts such as "data=4/fsdp=2", in any order, separated by `/`, `,`
// or spaces. Throws Error for another word, a part below 1 or one that comes twice.
Mesh mesh_named(std::string_view text);
// The other way round; "auto" if nothing is asked.
std::string text_of(const Mesh& mesh);

}  // namespace tpulab
