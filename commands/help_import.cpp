// The page `help import`.
#include "commands/help_import.h"

namespace tpulab {

namespace {

constexpr std::string_view import_page = R"(
`model step.mlir` prices your own training step: what JAX or PyTorch hand to
the compiler, as StableHLO text, or what the TPU compiler made of it, as HLO
text. `model config.json` reads a network of Hugging Face (below). A file ends
in .mlir, .stablehlo, .hlo, .txt or .json.

JAX, the step that you jit, with arrays or ShapeDtypeStructs; no TPU is needed
to write what one would get:
  made = jax.jit(step).trace(params, state, x, y).lower(
      lowering_platforms=("tpu",))
  open("step.mlir", "w").write(made.as_text(debug_info=True))
PyTorch/XLA, a module's forward pass:
  from torch_xla.stablehlo import exported_program_to_stablehlo
  program = exported_program_to_stablehlo(torch.export.export(model, (x,)))
  open("step.mlir", "w").write(program.get_stablehlo_text("forward"))
On a TPU, or wherever JAX runs, each compiled function as a file:
  JAX_DUMP_IR_TO=dump python train.py
What the TPU compiler made of it, on a TPU (dump/*after_optimizations.txt), or
ahead of time for one, with libtpu beside JAX and no TPU:
  XLA_FLAGS="--xla_dump_to=dump --xla_dump_hlo_as_text" python train.py
  from jax.experimental import topologies
  chip = topologies.get_topology_desc("v6e:2x2", "tpu").devices[0]
  made = jax.jit(step, in_shardings=jax.sharding.SingleDeviceSharding(chip))
  text = made.lower(params, state, x, y).compile().as_text()

Then everything that named models have: forecast, compare, sweep of slices,
explain, whatif, advise; with `numbers off`, run. `stack jax` for a step of
JAX: the default, pytorch-xla, traces each step anew. Each device runs the
text as it is: batch, precision and mesh are what it says, and a step that was
divided, by pmap too, runs on as many devices as it was made for. Arguments
that come back changed stay on the device, those that the loss is made of are
its parameters. Of the others a batch is sent each step: those whose rows the
loss is summed over, or where that is not clear with the first extent of
labels or tokens, else of most bytes; frozen weights stay. Of a data set or a
replay buffer that a step gathers or slices some rows of, these are its rows,
and all of it stays; what a loop of steps reads once, in its order, is sent
with each program. What makes no loss (a number, or one of each row),
returns no array that it is given, or returns tokens is a call (a forward
pass, an evaluation, a decoding step): all arguments stay on the device, and a
cache is written where it lies if it is donated (donate_argnums). `explain`
names kernels by the line of your program that they end with, where the text
has it.

With a symbolic batch the text has any number of rows: `batch` says how many.
  b, = jax.export.symbolic_shape("b")
  x, y = (jax.ShapeDtypeStruct((b, *a.shape[1:]), a.dtype) for a in (x, y))
  made = jax.export.export(jax.jit(step), platforms=("tpu",))
  text = made(params, state, x, y).mlir_module()

Calls are followed, a while runs as often as its counter says (lax.scan,
fori_loop; at most so often, if it may end early; a few turns without products
are written one by one, as random bits are for a TPU). Of branches that which
takes longest counts; one that is not read is taken to be shorter. Shardings
divide the step as XLA does (NamedSharding of arguments,
with_sharding_constraint): each device has its part, and what devices exchange
is priced, as it is inside shard_map.
An argument whose sharding is not read, and what is gathered as no rule
divides it, is named when the file is read. What is placed in the host's
memory (pinned_host: device_put, offload policies of jax.checkpoint, arguments
that lie there) takes HBM only while it is worked on, and crosses the host
link beside the kernels between: `offload`. A copy there begins when its array
is made and is waited for before one is taken back, or at the end; one back
begins then, or with the program, and has HBM one copy ahead. In a loop each
turn waits for its own. Of layers that are no loop XLA may hold such arrays
longer: HLO text tells.
Refused, with file, line and operation: sizes that follow from a symbolic
batch (b * 16), other shapes and loops that are known only at run time, custom
calls such as Pallas kernels or LAPACK, f64, HLO text compiled for a CPU.
Rough are sort, random bits, fft, cholesky and triangular_solve;
ragged_all_to_all counts as if all rows were sent, and what callbacks
(jax.debug.print) hand to the host takes no time.

A small step is really computed as well: beside step.mlir, step.safetensors
holds arg0, arg1 .. as the first step gets them (whole numbers as F32 too; an
axis more in front: a batch for each step). `numbers on; run` then shows its
loss as one device finds it, the result of that name, else the first number
that is made of a batch and can be computed:
  from safetensors.numpy import save_file
  leaves = jax.tree.leaves((params, state, x, y))
  save_file({f"arg{i}": np.asarray(a, np.float32)
             for i, a in enumerate(leaves)}, "step.safetensors")
Products are those of a TPU, rounded to bf16 unless the text says HIGHEST
(jax_default_matmul_precision). Argmax, sort, top_k, random bits, shifts, fft,
integers of 8 and 16 bits or beyond 2^24, f16, f8, complex numbers and what
devices exchange have no numbers: the file's line says so when it is read,
unless only other results need them, as an accuracy does, which is left out.

Of HLO text the kernels are the compiler's own: nothing is fused anew. Arrays
lie as their layouts say, and cost time where that is HBM; copies into the
memory of a core go with the kernels beside them, an asynchronous collective
or a copy to or from the host's memory, S(5), is hidden behind all that runs
until it is waited for, another one by nothing. An all-reduce of which a
fusion keeps a part alone is a reduce-scatter, as XLA writes it on TPUs.
Of custom calls only the arrays are priced. Kernels say which line of yours
they came from: explain fusion. `compare model=step.mlir,step.hlo` sets our
compiler beside XLA's.

A config.json of Hugging Face is a named network of your sizes, with its exact
parameters: batch, sequence, precision, mesh, remat, quant and attention act.
Known are llama, mistral, mixtral, qwen2, qwen3, qwen3_moe, gemma, gemma2,
gemma3_text, phi3, gpt2, gpt_neox (...ForCausalLM), bert and roberta
(...ForMaskedLM or ...ForSequenceClassification), vit and resnet
(...ForImageClassification).
  model llama/config.json; slice v6e-16; remat full; forecast sequence=2048
A folder that holds one, as a model is downloaded in, may stand for it.
Rows have as many tokens as it has positions, 4,096 at most unless sequence
says more. bert and roberta drop what the file says if it is one rate for all;
the others leave dropout out. Refused, with the field: another model_type or
head, an activation that is not emulated, and any field that is not known and
may change the network.

`data FILE` trains on rows of your own, and says what it found in the file:
  data iris.csv                    numbers and a class each; the class is in
                                   the column label, class, target, species
                                   or y, else in the last
  data x.npy,y.npy                 numpy.save() of rows and of their labels;
                                   without labels the last column has them
  data train-images-idx3-ubyte     MNIST's kinds; the labels are in the file
                                   of that name beside it
  data data_batch_1.bin            CIFAR-10 or CIFAR-100, binary version
  model gpt-tiny
  data shakespeare.txt             plain text: rows of 64 characters, each
                                   asked for the one behind it
Any of them may be packed by gzip (x.csv.gz): 512 MiB unpacked at most.
Rows are shuffled once, but of text; four fifths train, the others test.
Columns are scaled to mean 0 and deviation 1 of those four fifths, whatever
`split` makes of them; images of bytes to 0..1.
`model mlp` reads all numbers, `model cnn` and other networks of images rows
of two or three axes: height, width, channels.
)";

}  // namespace

std::string_view import_text() { return import_page; }

}  // namespace tpulab
