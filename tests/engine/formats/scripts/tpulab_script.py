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
