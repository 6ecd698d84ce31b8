import json, os, sys, torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

INSIDE = (os.path.dirname(torch.__file__) + os.sep, __file__)
READS = """item tolist numpy cpu __array__ __bool__ __int__ __float__
           __index__ __format__ __repr__""".split()

class Reads(TorchFunctionMode):  # where Python asks for a tensor's value
    def __torch_function__(self, func, types, args=(), kwargs=None):
        name, script = getattr(func, "__name__", ""), self.script
        words = [x for x in args if isinstance(x, str)]
        read = name in READS or (name == "to" and "cpu" in words)
        if read:
            script.note("read", name, args, kwargs)
        # On XLA one_hot does not look at the classes that it is given.
        given = name == "one_hot" and len(args) + len(kwargs or {}) > 1
        script.silent = read or given
        try:
            return func(*args, **(kwargs or {}))
        finally:
            script.silent = False

class Script(TorchDispatchMode):  # `with script:` is one step
    def __init__(self, path, device):
        super().__init__()
        self.out, self.steps, self.silent = open(path, "w"), 0, False
        self.reads = Reads()
        self.reads.script = self
        self.put(tpulab="script", torch=torch.__version__, device=str(device))

    def put(self, **line):
        kept = {k: x for k, x in line.items() if x != [] and x is not False}
        self.out.write(json.dumps(kept) + "\n")

    def note(self, kind, name, args, kwargs):
        flat = tree_flatten((args, kwargs or {}))[0]
        frame, optimizer = sys._getframe(2), False
        file = frame.f_code.co_filename
        while frame.f_back and file.startswith(INSIDE):
            optimizer |= file.startswith(INSIDE[0] + "optim")
            frame = frame.f_back
            file = frame.f_code.co_filename
        at = f"{os.path.basename(file)}:{frame.f_lineno}"
        self.put(**{kind: name}, at=at, optimizer=optimizer,
                 tensors=[[str(x.dtype)[6:], list(x.shape), str(x.device)]
                          for x in flat if isinstance(x, torch.Tensor)],
                 ints=[x for x in flat if type(x) is int],
                 to=[str(x) for x in flat if isinstance(x, torch.device)])

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if not self.silent and not func.name().startswith("profiler::"):
            self.note("op", func.name(), args, kwargs)
        return func(*args, **(kwargs or {}))

    def __enter__(self):
        self.reads.__enter__()
        return super().__enter__()

    def __exit__(self, *error):
        super().__exit__(*error)
        self.reads.__exit__(*error)
        if error[0] is None:
            self.put(step=self.steps)
            self.steps += 1
        self.out.flush()
