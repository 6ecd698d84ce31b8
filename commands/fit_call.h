// Lightning's line that starts a run, pasted as it is: trainer.fit(model, train_loader)
#pragma once

#include <string_view>

namespace tpulab {

// `fit(` behind the name of a trainer, which may have modules before it.
bool is_fit_call(std::string_view line);
// Model, loaders and datamodule are those of the run here, whatever their names. Throws Error in
// the words of Python for arguments that fit() does not have, and for values in their place.
void check_fit_call(std::string_view line);

}  // namespace tpulab
