// The record of an ended run as text, for who keeps it longer than the program lives.
#pragma once

#include <string>

#include "engine/session/run/run_record.h"

namespace tpulab {

// A JSON object. Times are whole picoseconds, other numbers come back bit for bit.
std::string text_of_record(const RunRecord& record);
// What a text does not hold stays as it is in RunRecord, what is unknown is passed over. Throws
// Error for what is no such object.
RunRecord record_of_text(const std::string& text);

}  // namespace tpulab
