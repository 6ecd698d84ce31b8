// The page `help script`.
#include "commands/help_script.h"

namespace tpulab {

namespace {

constexpr std::string_view script_page = R"py(
`script FILE` diagnoses the steps of your own PyTorch script, as the recorder
below writes them: on your computer, without a TPU. It names what would cut
the graph on PyTorch/XLA and read values in the step, what would run on the
CPU, what is sent from within the step, and graphs that differ, by the lines
of your script. Save the recorder as tpulab_script.py beside it, and then:
  from tpulab_script import Script
  device = torch.device("cpu:0")       # where xm.xla_device() will stand
  script = Script("steps.jsonl", device)
  for x, y in loader:
      with script:                     # one step, to where the sync will be
          x, y = x.to(device), y.to(device)
          ...
There "cpu:0" stands for the device and "cpu" for the host, so that
.to(device) is seen. Two epochs of a few batches are enough. What is done
between two `with` is not recorded. Known as running on the CPU are the
operations that no release from 1.13 to 2.9 lowers; some others do so for
certain arguments or in older releases, which it does not tell. Tried with
PyTorch 1.13 and, in an earlier form, with 2.15.

import json, os, sys, torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten
INSIDE = (os.path.dirname(torch.__file__) + os.sep, __file__)
READS = """item tolist numpy cpu __array__ __bool__ __int__ __float__
           __index__ __format__ __repr__""".split()
class Reads(TorchFunctionMode):  # where Python asks for a tensor's value
    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        words = [x for x in args if type(x) is str]
        read = name in READS or name == "to" and "cpu" in words
        if read: self.script.note("read", name, args, kwargs)
        # On XLA one_hot does not look at the classes that it is given.
        given = name == "one_hot" and len(args) + len(kwargs or {}) > 1
        self.script.silent = read or given
        try: return func(*args, **(kwargs or {}))
        finally: self.script.silent = False
class Script(TorchDispatchMode):  # `with script:` is one step
    def __init__(self, path, device):
        super().__init__()
        self.out, self.steps, self.silent = open(path, "w", 1), 0, False
        self.reads = Reads(); self.reads.script = self
        self.put(tpulab="script", torch=torch.__version__, device=str(device))
    def put(self, **line):
        kept = {k: x for k, x in line.items() if x != [] and x is not False}
        print(json.dumps(kept), file=self.out)
    def note(self, kind, name, args, kwargs):
        flat = tree_flatten((args, kwargs))[0]
        at, own = sys._getframe(), False  # own: the optimizer's
        while at.f_back and at.f_code.co_filename.startswith(INSIDE):
            own |= at.f_code.co_filename.startswith(INSIDE[0] + "optim")
            at = at.f_back
        tensors = [x for x in flat if isinstance(x, torch.Tensor)]
        file, shapes = os.path.basename(at.f_code.co_filename), [
            [str(x.dtype)[6:], list(x.shape), str(x.device)] for x in tensors]
        self.put(**{kind: name}, at=f"{file}:{at.f_lineno}", optimizer=own,
                 tensors=shapes, ints=[x for x in flat if type(x) is int],
                 to=[str(x) for x in flat if isinstance(x, torch.device)])
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if not self.silent and not func.name().startswith("profiler::"):
            self.note("op", func.name(), args, kwargs)
        return func(*args, **(kwargs or {}))
    def __enter__(self): self.reads.__enter__(); return super().__enter__()
    def __exit__(self, *error):
        super().__exit__(*error); self.reads.__exit__(*error)
        if error[0] is None: self.put(step=self.steps); self.steps += 1
)py";

}  // namespace

std::string_view script_text() { return script_page; }

}  // namespace tpulab
