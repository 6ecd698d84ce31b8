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
  // missing or of another shape, and which operation has no numbers.
  ExecutedStep(std::string text, const std::string& file, const Safetensors& values,
               WorkerPool* workers);
  ~ExecutedStep();

  // One step on one device; answers its loss: the result that is called so, else the first scalar
  // that is made of a batch, else one that succeeds no argument; of these the first with numbers.
  // What neither the loss nor the next step needs is not computed. Throws Error for integers beyond
  // what is held, and names the argument of which the first loss is no number.
  float advance();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Why a text is not computed, whatever its arguments: it has no loss, or an operation without
// numbers. Empty where it is.
std::string why_not_executed(std::string text, const std::string& file);

}  // namespace tpulab
