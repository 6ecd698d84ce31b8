// A step that is really computed, again and again: its text, the numbers that its arguments begin
// with, and what comes back changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/formats/safetensors.h"

namespace tpulab {

class WorkerPool;

class ExecutedStep {
 public:
  // `values`: an array for each argument, by its name "arg0", "arg1" ..; one with an axis more in
  // front has a batch for each step, and begins again at its end. Throws Error naming what is
  // missing or of another shape.
  ExecutedStep(std::string text, const std::string& file, const Safetensors& values,
               WorkerPool* workers);
  ~ExecutedStep();

  // One step on one device; answers its loss: the first scalar among its results that succeeds no
  // argument. Throws Error where an operation has no numbers.
  float advance();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tpulab
