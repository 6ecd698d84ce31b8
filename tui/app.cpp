#include "tui/app.h"

#include "tui/dashboard.h"

namespace tpulab {

int run_app(Engine& engine, Settings& settings, const AppOptions& options) {
  return Dashboard(engine, settings, options).run(options.start_run);
}

}  // namespace tpulab
