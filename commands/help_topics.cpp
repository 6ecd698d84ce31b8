// What the ideas behind the numbers are, in plain words.
#include <array>

#include "commands/help.h"

namespace tpulab {

namespace {

constexpr std::string_view devices_text = R"(
devices auto     all devices of the slice (the default)
devices 8        all of them, by their number; only 1 or all can be asked for
devices 1        one of them: here core 0, on a TPU the runtime's choice
devices [1]      the one with index 1: counting starts at 0, so it is the 2nd

On v2, v3 and v7 a device is a core, two on each chip, each with half of the
chip's memory. On v4 and v5p it is a whole chip whose two cores work as one,
on v5e and v6e a chip of one core.

Several devices train the same network on different rows (data parallel).
After each backward pass their gradients are averaged by an all-reduce over
the links between the chips, and all take the same step. On a slice of
several hosts, devices counts those of one host: devices 8 on v3-32 is 8 on
each of its 4 hosts, 32 in all; devices 1 is one of one host, no other works.

Lightning refuses devices 4, -1, [8] or [1,2] on 8 cores; so does this.
)";

constexpr std::string_view batch_text = R"(
batch is the number of rows per device in one step. With batch 32 on 8 cores
a step trains 32 x 8 = 256 rows; batch.global 256 says the same.

A step costs the host its tracing and dispatch whatever the batch is. A small
batch therefore leaves the devices waiting for the host, and more rows cost
little until the devices are busy or loading takes as long (one core loads
between its steps). On the matrix unit rows are padded (to 16), and in the
weights' gradient the batch is the inner dimension, padded to 128.

1,437 rows on 8 cores are 180 for each, 3 of them repeated, as Lightning's
DistributedSampler pads. 180 is 5 batches of 32 and a last one of 20: a
shape of its own, so it compiles a program of its own once. drop_last on
leaves it out.

A larger batch makes fewer steps per epoch; the learning rate may have to
grow with it.
)";

constexpr std::string_view precision_text = R"(
32-true     storage in f32 (the default)
bf16-true   weights, gradients, optimizer state and the all-reduce in bf16:
            half the memory and half the bytes, 8 bits of precision
16-true     nothing but 32-true: it sets a variable (XLA_USE_F16) that no
            release of torch_xla reads
As in Lightning 16-mixed, 64-true and, on pytorch-xla, bf16-mixed are refused.

The matrix unit multiplies bf16 numbers and adds in f32. In 32-true each
operand of a product is therefore rounded to bf16 by default, so bf16-true
makes products no faster: it saves memory traffic. matmul.precision high
spends 3 bf16 passes on a product, highest 6, which comes close to f32 and
takes as many times longer on the matrix unit.

The loss is computed with the rounding you choose: precision changes the
numbers here, and not only the time.
)";

constexpr std::string_view compile_text = R"(
Operations are not run when they are called: they are traced into a graph.
A cut (mark_step, or reading a value) ends the graph. If one with the same
fingerprint was compiled before, its program runs; if not, the host compiles
it first and everything waits.

The fingerprint holds the operations and their wiring, all shapes and dtypes,
static attributes, which values are outputs, which inputs are the same buffer
and the devices. Values of inputs are not in it, with one trap: the scalars
0, 1 and -1 become constants of the graph.

So a new shape compiles (the last, shorter batch), another set of outputs, a
factor that reaches 1. Every compile event names what was new.
`shapes random` lets each batch keep another number of its rows, as a
collate_fn does that drops what it cannot read: each number compiles once.
`shapes bucketed` fills them up to one of 4. `loop_turns 8` is a Python loop
that takes other turns, `keep_every_n_steps 10` a list that losses go to.
Programs stay cached until `reset` or a preemption (`help cache on disk`).

The order of a run is Lightning's: the loaders' lengths are read and two
batches are validated before any training, then come steps, and after each
epoch its validation. On several devices the loader cuts after each batch, so
evaluation compiles before training. On one device nothing cuts validation:
all its batches are one graph until their accuracy is read, and a small batch
makes that graph long; `sync_validation on` puts torch_xla.sync() behind each.
jax and tensorflow, whose steps are compiled functions, have neither.
)";

constexpr std::string_view loop_text = R"(
Arguments of Lightning's Trainer about its loop are settings of the same name,
also inside a call: Trainer(devices=1, accumulate_grad_batches=4).
  limit_train_batches, limit_val_batches, overfit_batches
                     a count of batches or a share of them: 1 is one batch,
                     1.0 all of them; limit_train_batches 0 trains nothing
  accumulate_grad_batches
                     a step takes the mean gradient of so many batches.
                     On several devices the loader cuts after each: two graphs
                     take turns. On one device nothing cuts: the graph holds
                     all of them, and compiles longer
  gradient_clip_val  after the all-reduce, inside the same graph: nothing is
                     read by the host
  val_check_interval, check_val_every_n_epoch, num_sanity_val_steps
                     when it is validated; check_val_every_n_epoch None:
                     every val_check_interval batches of all epochs
fast_dev_run, in a call, sets the limits to so few batches and logs nothing.
max_time, callbacks and plugins are not emulated; the call says so, and the
rest of it acts.
)";

constexpr std::string_view fallback_text = R"(
An operation that XLA cannot lower runs on the host's CPU: the graph is cut,
the host waits for its inputs, downloads them, computes, and uploads the
result, which enters the next graph as new data. Each costs a round trip in
every step, and the devices stand still meanwhile.

Some of them can be switched on here:
  fallback_op median aten::median of each batch's losses, or one of 11 others,
                     on any network
  class_weights on   aten::bincount counts the classes of a batch
  hard_examples on   aten::nonzero picks rows; how many is known only from
                     the data, so new sizes compile new programs, and several
                     devices would not agree on one: it needs devices 1
item() reads one number (aten::_local_scalar_dense): no computation on the
CPU, but the same cut and wait. log_every_n_steps, item_every_n_steps and
progress_bar say how often.

A tensor that is made on the CPU in the step (cpu_constant on) is no fallback:
the host sends it while it traces, in every step. `input_dtype bf16` halves
what rows of numbers send.

Each op has a counter of that name in the report of `metrics`; calls that are
lowered are counted as xla::.
)";

constexpr std::string_view metrics_text = R"(
TotalSamples   samples since the run began
Accumulator    the sum of all of them
ValueRate      the sum of the newest 1,024 over the span between the first
               and the last: seconds of compiling per second, for CompileTime
Rate           how many of them per second
Percentiles    of the newest 1,024, without interpolation
Counter        how often

Worth looking at:
  CompileTime, UncachedCompile   grow only at the start, or something changes
  CachedCompile                  programs that ran without compiling
  MarkStep                       cuts; in training two a batch on several
                                 cores, one on one; in validation one or none
  LazyTracing                    tracing on the host, of validation, too: all
                                 of its times together
  DeviceDataCacheMiss            numbers sent to the devices as they are new,
                                 such as Adam's corrections of each step
  TransferFromDeviceTime         reads by the host, waiting included
  aten::...                      fallbacks to the CPU, and item()

All times are TPU time, estimated. Parts of a time are rounded correctly here
(001ms632.778us); the original prints that one as 002ms632.778us.
)";

constexpr std::string_view clocks_text = R"(
TPU time    what the emulated machine would take, host and network included.
            It is an estimate from documented and measured constants.
wall time   what this computer takes for the numbers.

The loss, the accuracy and the weights are really computed, on this computer,
and depend on the number of devices alone, on no slice. Wall time says nothing
about a TPU, and TPU time nothing about this computer.

Rates are given steady (compiling left out) and including compile. pace
slows a run down to be watched and touches neither TPU time nor numbers.
)";

constexpr std::string_view bound_text = R"(
The bound is what would make a steady step shortest if it cost nothing. The
newest steps are replayed with each of these free in turn: matrix units,
vector unit, HBM, links, network between slices, hops, kernel starts, host
tracing, dispatch, host link, loader, read-backs, CPU fallback, stragglers.
"Saves 63 % if free" is how much shorter a step would be. Shares of a core are
another number: what takes 87 % may save 63 %, as the next comes behind it.

Where time goes may be something else, too: a batch that comes late shows as
the tracing behind it, and yet the host link binds. The summary of a run names
both, and compile where that took most of it. `explain` tells the next bound.
)";

constexpr std::string_view slow_text = R"(
1 The batch is too small: the host takes longer to trace a step than the
  devices to run it: "bound: host tracing" in the status line, "dispatch" of
  jax and tensorflow, which trace once. Try batch 128.       help batch
2 The program reads values: every item() cuts the graph and waits. Try
  progress_bar off and a larger log_every_n_steps.           help fallback
3 Shapes change: each new one compiles. The compile events name it. Try
  drop_last on.                                              help compile
4 The host is short of CPUs or far away: input, transfers and dispatch wait.
  Try compare host=tpu-vm,colab-node-2021.                   help host
  Or its loaders make rows too slowly: give them 8 ms for each row, and no
  processes of their own: loader_row_us 8000, loader_workers 0.
5 The first steps compile: look at the rate without compile, and at how many
  steps pay for it.                                          help clocks
6 An op runs on the CPU: the table of fallbacks names it and its time. Try
  fallback_op none, class_weights off, hard_examples off.    help fallback

`advise` tries the cures and tells what each gains.           help causes

Duty cycle is the share of time in which a program is on the device, waiting
included; utilisation is the share of the matrix unit's peak that useful work
reaches. Both high is fast; busy alone is not.
)";

constexpr std::string_view keys_text = R"(
Enter            run the line               F1        help
Tab              complete; again: next page F2        a tile for each device
Up, Down         earlier lines              F3        all of the output
Ctrl-R           search earlier lines       F4        what a pod's map shows
Ctrl-C           clear what is typed        F5        pause or go on
                 on an empty line: stop     PgUp PgDn scroll the output
                 the run, not the program   F8        zoom pane by pane
Ctrl-D           leave (on an empty line)   F9        save the screen
Ctrl-L           draw the screen again      F7        mouse off and on
Ctrl-Z           suspend; fg returns
Esc              on an empty line: to the panes, where single letters act
  Tab, arrows, a click: the next pane or row; Enter opens what is chosen
  r run   x stop   p pause or go on   s one step   q leave   ? all keys
  (r, x and q must come twice while a run goes on)
  e a tile for each device   m the next on a pod's map   z zoom the pane
  t the timeline of the run: + - zoom, arrows and < > pan, 0 all of it,
    Home and End; Enter explains the moment
  b the newest run beside the one before it, on one scale
  c look into a core: a matrix unit, clock by clock
  / search the output, n N next   y copy the pane   f freeze the figures
  Esc goes back; : and any word go to the prompt, a number where a lesson asks
Enter            on an empty line: go on with a lesson, else do what the line
                 under the status advises
Over a text      Esc or Enter closes it (in a lesson Enter reads on first),
                 arrows, pages, Home and End scroll; letters go to the prompt
Editing is readline's: Ctrl-A, Ctrl-E, Alt-B, Alt-F, and your ~/.inputrc.
)";

constexpr std::string_view models_text = R"(
Trained here, with their numbers, on `data` that fits them:
mlp (`hidden` says its layers)                 digits or spirals, as numbers
lenet, cnn, resnet8, resnet20                  digits as images of 8 x 8
tcn, bert-tiny                                 digits as sequences of 8 rows
gpt-tiny, llama-tiny, moe-tiny                 sums as "12+07=019", or text
ssd-tiny, unet-tiny                            scenes; digits and their noise
gnmt-tiny, unet3d-tiny, mask-rcnn-tiny         numerals; solids; figures
Your own in a line of layers, each with its activation:
model "conv 16 3x3 relu | maxpool 2 | dense 10"
Layers: dense N, conv N HxW [stride N], maxpool N, avgpool N, batchnorm,
layernorm, attention HEADS, embed WIDTH, flatten; relu gelu silu tanh sigmoid.
Attention sees all positions; on text and addition those before, as the next
is the label. Batch norms take each core's own rows, in evaluation too.
On rows of your own: `data iris.csv`                           help import

The other models are named networks whose own data are not here: their steps
are priced and, with `numbers off`, simulated (500 without max_steps). Images
have the epochs and the validation of ImageNet-1k, COCO, KiTS19 or MNIST where
max_epochs asks; others have no length here unless limit_train_batches counts
it. ResNets and mnist-cnn are trained by `data digits`, on 8 x 8 images.

mnist-cnn, resnet18 ... resnet152, resnet-rs-50, resnet-rs-101    images
vit-s16, -b16, -b32, -l16; mlp-mixer-s16, -b16, -l16    images, as patches
ssd, mask-rcnn, unet3d, stable-diffusion-1, -2    things; voxels; images
bert-base, -large, -base-glue, -large-glue, roberta-base    encoders
mlperf-transformer, gnmt                       translation; gnmt by LSTMs
gpt3-175b, gpt-j-6b, palm-540b, mistral-7b, llama2-7b ... llama3-405b
gemma2-2b, -9b, -27b, gemma3-1b, -4b, -12b, -27b    with windows of attention
mixtral-8x7b, mixtral-8x22b, deepseek-v3       decoders of experts
lm-16b ... lm-1024b                            decoders by their size
mlp-64-1024-10                                 a perceptron by its widths
gemm-MxKxN, softmax-ROWSxWIDTH, layernorm-ROWSxWIDTH,
encoder-TOKENSxWIDTHxHEADS, attention-HEADSxTOKENSxWIDTH,
conv-BATCHxHEIGHTxWIDTHxINPUTSxOUTPUTSxWINDOWxSTRIDE
                                               single kernels, once a device

Your own step from JAX or PyTorch: `model step.mlir`           help import
Your own network: `model llama/config.json` of Hugging Face    help import

forecast model=resnet50 slice=v3-32 stack=jax precision=bf16-mixed batch=128
model llama3-8b; slice v6e-16; batch 3; remat full; numbers off; run

sequence and image change a model's rows. batch is rows per device, 1/8 where
eight devices share each row. mesh says how devices share the work: data
(replicas), fsdp (weights, gradients and optimizer state sharded), tensor
(each layer divided), slices; expert divides experts, whose rows travel
(all-to-all, taken to spread evenly), context the tokens of a row, whose keys
and values are gathered; both share all other weights as fsdp does. pipeline=4
with microbatches=8 divides layers into stages, idle 3 of 11 turns. auto takes
replicas; of decoders shares, if faster or if replicas fill half of HBM. remat
keeps less: minimal what products with weights made, narrow the narrow ones of
these, full layers' inputs, offload these on the host, minimal-offload
minimal's. loss_pieces makes logits in pieces. quant int8 rounds operands of
products with weights, from v5e on. attention fused keeps scores in VMEM.

stack pytorch-xla traces every step on the host and has no bf16-mixed, as in
Lightning; most published figures are of stack jax or tensorflow, bf16-mixed.
jax-ordinary and tensorflow-ordinary are examples of the framework run as they
are: every replica updates all weights, gradients are summed behind the step,
JAX draws its own random numbers for dropout. `show stack NAME` lists it all.
)";

constexpr std::string_view bands_text = R"(
Every estimate of a named model comes with a band and the nearest measured
point, as "nearest C-P17". The band is the error that nine of ten measured
steps of its kind stay within when they are left out of the fit. `tpulab
validate` prints all points beside what is predicted for them. It is wider on
the slower side of a stack that is not tuned, and on that of a nearest point.

Where the bands of two options overlap they are "not distinguishable", unless
model, stack, generation, bound and points are the same, as errors go one way
then, or the same program on the same chips waits for another host or loader.
Meshes that divide experts, rows or stages have no points. What is trained
here with its numbers was not measured on TPUs: no band; shares and ratios say
more than milliseconds.
)";

constexpr auto topics = std::to_array<HelpTopic>({
    {"devices", "Which cores train, and how they share the work", devices_text},
    {"batch", "Rows per device, and why small batches are slow", batch_text},
    {"precision", "What 32, bf16 and 16 bit mean on a TPU", precision_text},
    {"compile", "Tracing, fingerprints, and when the host compiles again", compile_text},
    {"loop", "Lightning's loop: limits, summed gradients, clipping, validation", loop_text},
    {"fallback", "Operations on the CPU, and item()", fallback_text},
    {"metrics", "How to read the metrics report", metrics_text},
    {"clocks", "TPU time (estimated) and wall time", clocks_text},
    {"bound", "What binds a step, and where its time goes", bound_text},
    {"slow", "Why is it slow? Six causes", slow_text},
    {"causes", "What causes each diagnosis here, and what cures it", {}},
    {"slices", "The machines there are, and your own", {}},
    {"models", "What is trained, and what is only forecast", models_text},
    {"import", "Your own step, network or data", {}},
    {"script", "Your own PyTorch steps, recorded without a TPU", {}},
    {"gpus", "How many GPUs one TPU board is", {}},
    {"access", "Colab, Kaggle and Google Cloud, then and now", {}},
    {"bands", "How far to trust an estimate", bands_text},
    {"keys", "Keys of the dashboard", keys_text},
    {"plain", "Without a screen: plain lines, screen readers, no colours", {}},
    {"words", "All words that have a page", {}},
});

}  // namespace

std::span<const HelpTopic> idea_topics() { return topics; }

}  // namespace tpulab
