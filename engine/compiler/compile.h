// The table of contents of the compiler: Cut -> Program.
#pragma once

#include <memory>

#include "engine/compiler/program.h"
#include "engine/compiler/remat.h"

namespace tpulab {

struct Scheduling {
  bool updates_wait = false;  // what takes over memory is made behind the last kernel that reads it
  bool results_first = false;  // results that take over none have memory from the start on
  bool stacks = false;         // what runs of a loop leave for another is one array
  Bytes on_chip{};             // holds values between kernels that take no HBM then
};

// What the kernels that read a value make again, beside what is cheap.
struct MadeAgain {
  bool thrifty = false;  // if that moves no more bytes
  bool dear = false;     // what has exp and divide
  // What follows from a product's result and is wider than that; what rounds several arrays to
  // fewer bytes is written instead.
  bool narrow = false;
  SoftmaxAgain softmax = SoftmaxAgain::nowhere;
  // What runs repeatedly is a loop for each pass (lax.scan): what one leaves for the next is
  // written as wide as it is, and weights that the network converts are converted before both.
  // Where it is thrifty, gradients stay as narrow as products make them, and each pass converts
  // weights itself [TPUR: Llama-3.1 405B fitted v6e].
  bool scanned = false;
};

struct CompileOptions {
  bool identified = false;  // others will be compared with it: it has a fingerprint
  Bytes hbm{};        // a program that needs more (0: no limit) is made once more with less stored
  MadeAgain again{};  // where `dear`, slices are read where they lie, too
  bool rows_in_vmem = false;  // a kernel holds whole rows: it may go on once it knows their sums
  Keeping keeping{};
  Scheduling scheduling{};
};

// Runs every pass in order. Throws Error for what a device cannot run.
std::shared_ptr<Program> compile(const Cut& cut, const CompileOptions& options = {});

// It is or has a product of matrices.
bool multiplies(const Program& program, NodeId id);
// A product with weights: with one matrix for all rows, or with those that rows choose.
bool multiplies_weights(const Program& program, const Node& node);
// One value of a weight each, as a conversion that the network itself asks for.
bool rounds_weights(const Program& program, const Node& node);

// The passes; each works on the program in place and leaves it legal for the next.
void simplify(Program& program);  // merges equal subexpressions, removes what nobody reads
// Of backward passes of layers that run repeatedly; what rounds weights is kept if `rounded_once`.
void rematerialise(Program& program, const Keeping& keeping, bool rounded_once = false);
void round_operands(Program& program);  // rounds what products read once, where it is made
void shard(Program& program);           // how the merged execution holds each value, and if it may
void lay_out(Program& program);         // the order of axes in memory, where arrays are padded
// Bitcasts and broadcasts belong to no kernel of their own; nor do slices, where `parts`.
void fold(Program& program, bool parts = false);
void fuse(Program& program, bool rows_in_vmem = false);  // groups nodes into kernels
void recompute(Program& program, const MadeAgain& again = {});
void measure(Program& program);     // says what each kernel is called, moves and computes
void name_parts(Program& program);  // of the network, to which kernels belong
void schedule(Program& program, const Keeping& keeping = {},
              const Scheduling& how = {});  // last uses and peak HBM
void verify(const Program& program);  // what must hold after the last pass; std::logic_error if not

}  // namespace tpulab
