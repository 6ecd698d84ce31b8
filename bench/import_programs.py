"""Training steps of unlike kinds, exported from JAX as StableHLO text: what `model FILE` is tried on.

    pip install jax==0.10.2 flax optax
    import_programs.py FOLDER [NAME ...]      FOLDER/NAME.mlir and, with the lines of this file, FOLDER/NAME.debug.mlir
"""
import functools, os, sys
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
import flax.linen as nn
import jax, jax.numpy as jnp, numpy as np, optax
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

steps = {}
def step(f):
    steps[f.__name__] = f
    return f

def normal(*shape, dtype=jnp.float32): return jax.ShapeDtypeStruct(shape, dtype)
def whole(*shape, dtype=jnp.int32): return jax.ShapeDtypeStruct(shape, dtype)

def trained(module, optimizer, loss, *inputs, rngs=None, donate=(0, 1), **kw):
    """A jitted step of a flax module, and its arguments as shapes."""
    names = {"params": jax.random.key(0), **(rngs or {})}
    params = jax.eval_shape(lambda: module.init(names, *[jnp.zeros(i.shape, i.dtype) for i in inputs[:-1]], **kw))
    state = jax.eval_shape(lambda p: optimizer.init(p["params"]), params)
    def train(params, state, *inputs):
        def of(weights):
            value, changed = module.apply({**params, "params": weights}, *inputs[:-1], rngs=rngs,
                                          mutable=[k for k in params if k != "params"], **kw)
            return loss(value, inputs[-1]), changed
        (value, changed), gradients = jax.value_and_grad(of, has_aux=True)(params["params"])
        updates, new_state = optimizer.update(gradients, state, params["params"])
        return {**changed, "params": optax.apply_updates(params["params"], updates)}, new_state, value
    return jax.jit(train, donate_argnums=donate), (params, state, *inputs)

def classes(logits, labels): return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
def squares(a, b): return jnp.mean((a - b) ** 2)

@step
def vit():
    class Block(nn.Module):
        @nn.compact
        def __call__(self, x):
            y = nn.LayerNorm()(x)
            x = x + nn.MultiHeadDotProductAttention(4)(y, y)
            return x + nn.Dense(128)(nn.gelu(nn.Dense(512)(nn.LayerNorm()(x))))
    class ViT(nn.Module):
        @nn.compact
        def __call__(self, x):
            x = nn.Conv(128, (8, 8), (8, 8))(x).reshape(x.shape[0], -1, 128)
            x = jnp.concatenate([jnp.zeros((x.shape[0], 1, 128)) + self.param("cls", nn.initializers.normal(), (1, 1, 128)), x], 1)
            for _ in range(2): x = Block()(x)
            return nn.Dense(10)(nn.LayerNorm()(x)[:, 0])
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(optax.warmup_cosine_decay_schedule(0.0, 1e-3, 10, 100)))
    return trained(ViT(), optimizer, classes, normal(16, 64, 64, 3), whole(16))

@step
def unet():
    class UNet(nn.Module):
        @nn.compact
        def __call__(self, x, t):
            embed = nn.Dense(32)(jnp.sin(t[:, None] * 10.0 ** jnp.linspace(0, 4, 16)))
            skips = []
            for width in (32, 64):
                x = nn.silu(nn.GroupNorm(8)(nn.Conv(width, (3, 3))(x)) + nn.Dense(width)(embed)[:, None, None])
                skips.append(x)
                x = nn.avg_pool(x, (2, 2), (2, 2))
            x = nn.Conv(64, (3, 3))(x)
            for skip in reversed(skips):
                x = nn.ConvTranspose(skip.shape[-1], (2, 2), (2, 2))(x)
                x = nn.silu(nn.Conv(skip.shape[-1], (3, 3))(jnp.concatenate([x, skip], -1)))
            x = jax.image.resize(x, (*x.shape[:1], 32, 32, x.shape[-1]), "bilinear")
            return nn.Conv(3, (3, 3))(x)
    return trained(UNet(), optax.adam(1e-3), squares, normal(8, 32, 32, 3), normal(8), normal(8, 32, 32, 3))

@step
def diffusion():
    def loss(w, x, key):
        kt, kn = jax.random.split(key)
        t = jax.random.uniform(kt, (x.shape[0], 1))
        noise = jax.random.normal(kn, x.shape)
        a = jnp.cos(t * jnp.pi / 2) ** 2
        noisy = jnp.sqrt(a) * x + jnp.sqrt(1 - a) * noise
        y = jax.nn.silu(jnp.concatenate([noisy, t], 1) @ w[0])
        return squares(y @ w[1], noise)
    def train(w, x, key):
        key, own = jax.random.split(key)
        value, g = jax.value_and_grad(loss)(w, x, own)
        return [a - 1e-3 * b for a, b in zip(w, g)], key, value
    return jax.jit(train), ([normal(65, 256), normal(256, 64)], normal(128, 64), whole(2, dtype=jnp.uint32))

@step
def lstm():
    class Net(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(1000, 64)(tokens)
            x = nn.RNN(nn.OptimizedLSTMCell(128))(x)
            x = nn.Bidirectional(nn.RNN(nn.GRUCell(64)), nn.RNN(nn.GRUCell(64)))(x)
            return nn.Dense(1000)(x)
    return trained(Net(), optax.rmsprop(1e-3), classes, whole(8, 32), whole(8, 32))

@step
def gnn():
    def loss(w, nodes, senders, receivers, y):
        x = nodes
        for a, b in w[:-1]:
            messages = jax.nn.relu(x[senders] @ a)
            total = jax.ops.segment_sum(messages, receivers, num_segments=nodes.shape[0])
            largest = jax.ops.segment_max(messages, receivers, num_segments=nodes.shape[0])
            degree = jax.ops.segment_sum(jnp.ones_like(senders, jnp.float32), receivers, num_segments=nodes.shape[0])
            x = jax.nn.relu(jnp.concatenate([x, total / jnp.maximum(degree, 1)[:, None], jnp.where(jnp.isfinite(largest), largest, 0)], 1) @ b)
        return classes(x @ w[-1], y)
    def train(w, *data):
        value, g = jax.value_and_grad(loss)(w, *data)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    w = [(normal(32, 64), normal(160, 64)), (normal(64, 64), normal(192, 64)), normal(64, 7)]
    return jax.jit(train, donate_argnums=0), (w, normal(500, 32), whole(2000), whole(2000), whole(500))

@step
def moe_one_hot():
    def loss(w, x, y):
        scores = jax.nn.softmax(x @ w["router"])
        weight, expert = lax.top_k(scores, 2)
        chosen = jax.nn.one_hot(expert, 8)                                # [t, 2, e]
        place = (jnp.cumsum(chosen.reshape(-1, 8), 0) * chosen.reshape(-1, 8)).reshape(chosen.shape) - 1
        seats = jax.nn.one_hot(place.astype(jnp.int32), 64) * chosen[..., None]
        dispatch = jnp.einsum("tkes->tes", seats)
        combine = jnp.einsum("tk,tkes->tes", weight, seats)
        inside = jnp.einsum("tes,td->esd", dispatch, x)
        out = jnp.einsum("esf,efd->esd", jax.nn.gelu(jnp.einsum("esd,edf->esf", inside, w["up"])), w["down"])
        balance = jnp.mean(scores.mean(0) * chosen[:, 0].mean(0)) * 64
        return squares(jnp.einsum("tes,esd->td", combine, out), y) + 0.01 * balance
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    w = {"router": normal(64, 8), "up": normal(8, 64, 256), "down": normal(8, 256, 64)}
    return jax.jit(train), (w, normal(256, 64), normal(256, 64))

@step
def moe_ragged():
    def loss(w, x, y):
        weight, expert = lax.top_k(jax.nn.softmax(x @ w["router"]), 2)
        order = jnp.argsort(expert.reshape(-1))
        rows = x[order // 2]
        sizes = jnp.bincount(expert.reshape(-1), length=8).astype(jnp.int32)
        out = lax.ragged_dot(jax.nn.gelu(lax.ragged_dot(rows, w["up"], sizes)), w["down"], sizes)
        back = jnp.zeros_like(out).at[order].set(out).reshape(-1, 2, 64)
        return squares((back * weight[..., None]).sum(1), y)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    w = {"router": normal(64, 8), "up": normal(8, 64, 256), "down": normal(8, 256, 64)}
    return jax.jit(train), (w, normal(256, 64), normal(256, 64))

@step
def policy_gradient():
    """Rollouts of a cart in a scan, then REINFORCE with a baseline."""
    def act(w, s): return jax.nn.tanh(s @ w[0]) @ w[1]
    def rollout(w, s, key):
        def one(carry, key):
            s, alive = carry
            logits = act(w, s)
            a = jax.random.categorical(key, logits)
            force = jnp.where(a == 1, 1.0, -1.0)
            s2 = s + 0.02 * jnp.stack([s[:, 1], force - jnp.sin(s[:, 2]), s[:, 3], force * jnp.cos(s[:, 2])], 1)
            alive2 = alive & (jnp.abs(s2[:, 2]) < 0.2)
            log = jnp.take_along_axis(jax.nn.log_softmax(logits), a[:, None], 1)[:, 0]
            return (jnp.where(alive[:, None], s2, s), alive2), (log, alive.astype(jnp.float32))
        return lax.scan(one, (s, jnp.ones(s.shape[0], bool)), jax.random.split(key, 50))[1]
    def loss(w, s, key):
        log, reward = rollout(w, s, key)
        returns = lax.associative_scan(jnp.add, reward[::-1])[::-1]
        advantage = lax.stop_gradient(returns - returns.mean(1, keepdims=True))
        return -jnp.mean(log * advantage)
    optimizer = optax.adam(1e-2)
    def train(w, state, s, seed):
        value, g = jax.value_and_grad(loss)(w, s, jax.random.key(seed))
        u, state = optimizer.update(g, state)
        return optax.apply_updates(w, u), state, value
    w = [normal(4, 32), normal(32, 2)]
    return jax.jit(train), (w, jax.eval_shape(optimizer.init, w), normal(64, 4), whole())

@step
def mamba():
    def layer(w, x):
        u, gate = jnp.split(x @ w["in"], 2, -1)
        u = lax.conv_general_dilated(u, w["conv"], (1,), [(3, 0)], dimension_numbers=("NWC", "WIO", "NWC"), feature_group_count=u.shape[-1])
        u = jax.nn.silu(u)
        delta = jax.nn.softplus(u @ w["delta"])
        b, c = jnp.split(u @ w["bc"], 2, -1)
        a = jnp.exp(-jnp.exp(w["a"]) * delta[..., None])
        bx = (delta * u)[..., None] * b[..., None, :]
        def join(l, r): return l[0] * r[0], r[0] * l[1] + r[1]
        h = lax.associative_scan(join, (a, bx), axis=1)[1]
        return x + ((h * c[..., None, :]).sum(-1) * jax.nn.silu(gate)) @ w["out"]
    def loss(w, tokens):
        x = w["embed"][tokens[:, :-1]]
        x, _ = lax.scan(lambda x, l: (layer(l, x), None), x, w["layers"])
        return classes(x @ w["embed"].T, tokens[:, 1:])
    def train(w, tokens):
        value, g = jax.value_and_grad(loss)(w, tokens)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    n, d, s = 4, 128, 16
    layers = {"in": normal(n, d, 2 * d), "conv": normal(n, 4, 1, d), "delta": normal(n, d, d), "bc": normal(n, d, 2 * s), "a": normal(n, d, s), "out": normal(n, d, d)}
    return jax.jit(train), ({"embed": normal(512, d), "layers": layers}, whole(4, 65))

@step
def kv_cache():
    """One token a call, against a cache that is written in place."""
    def token(w, cache, at, tokens):
        x = w["embed"][tokens]
        def layer(x, l):
            w, k_old, v_old = l
            q, k, v = [(x @ w[n]).reshape(-1, 1, 4, 32) for n in "qkv"]
            k_all = lax.dynamic_update_slice(k_old, k.astype(jnp.bfloat16), (0, at, 0, 0))
            v_all = lax.dynamic_update_slice(v_old, v.astype(jnp.bfloat16), (0, at, 0, 0))
            near = lax.dynamic_slice_in_dim(k_all, jnp.maximum(at - 63, 0), 64, 1)
            s = jnp.einsum("bqhd,bkhd->bhqk", q, near, preferred_element_type=jnp.float32)
            s = jnp.where(jnp.arange(64) <= at, s, -1e30)
            o = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), lax.dynamic_slice_in_dim(v_all, jnp.maximum(at - 63, 0), 64, 1))
            return x + o.reshape(-1, 128).astype(x.dtype) @ w["o"], (k_all, v_all)
        x, cache = lax.scan(layer, x, (w["layers"], *cache))
        return cache, at + 1, jnp.argmax(x @ w["embed"].T, -1)
    n = 3
    layers = {k: normal(n, 128, 128) for k in "qkvo"}
    cache = (normal(n, 8, 256, 4, 32, dtype=jnp.bfloat16),) * 2
    return jax.jit(token, donate_argnums=1), ({"embed": normal(1000, 128), "layers": layers}, cache, whole(), whole(8))

@step
def convolutions():
    """One-dimensional, depthwise, grouped, dilated, strided, transposed and three-dimensional."""
    def loss(w, x, v, y):
        c = functools.partial(lax.conv_general_dilated, dimension_numbers=("NWC", "WIO", "NWC"))
        x = jax.nn.relu(c(x, w[0], (2,), "SAME"))
        x = jax.nn.relu(c(x, w[1], (1,), "SAME", rhs_dilation=(4,)))
        x = jax.nn.relu(c(x, w[2], (1,), "SAME", feature_group_count=8))
        x = jax.nn.relu(c(x, w[3], (1,), "SAME", feature_group_count=32))
        x = lax.conv_transpose(x, w[4], (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 1), (1, 2, 1), "SAME")
        v = jax.nn.relu(lax.conv_general_dilated(v, w[5], (1, 2, 2), "SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC")))
        v = lax.reduce_window(v, 0.0, lax.add, (1, 2, 2, 2, 1), (1, 2, 2, 2, 1), "VALID")
        return classes(x.mean(1) @ w[6] + v.mean((1, 2, 3)) @ w[7], y)
    def train(w, *data):
        value, g = jax.value_and_grad(loss)(w, *data)
        return [a - 0.1 * b for a, b in zip(w, g)], value
    w = [normal(7, 3, 32), normal(3, 32, 32), normal(3, 4, 32), normal(5, 1, 32), normal(4, 32, 16), normal(3, 3, 3, 2, 8), normal(16, 10), normal(8, 10)]
    return jax.jit(train), (w, normal(4, 128, 3), normal(4, 8, 16, 16, 2), whole(4))

@step
def sorting():
    """Losses by order: medians, argmax, cumulative sums and products, searches, gathers, scatters."""
    def loss(w, x, y):
        s = x @ w
        best = jnp.argmax(s, 1)
        ordered = jnp.sort(s, 1)
        hard = jnp.take_along_axis(s, jnp.argsort(s, 1)[:, :3], 1)
        curve = jnp.cumsum(ordered, 1) + jnp.cumprod(jax.nn.sigmoid(ordered), 1) + lax.cummax(ordered, 1) + lax.cumlogsumexp(ordered, 1)
        found = jnp.searchsorted(jnp.linspace(-3, 3, 33), s.reshape(-1))
        histogram = jnp.zeros(34).at[found].add(jax.nn.softplus(s.reshape(-1)))
        table = jnp.zeros_like(s).at[jnp.arange(s.shape[0]), y].max(s[:, 0]).at[:, 1].multiply(2.0)
        return jnp.median(s) + jnp.var(curve) + histogram.max() + hard.mean() + (best == y).mean() + table.sum() + jnp.quantile(s, 0.9)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return w - 0.1 * g, value
    return jax.jit(train), (normal(64, 20), normal(128, 64), whole(128))

@step
def random_bits():
    """Dropout by the hardware's generator, a threefry key beside it, truncated normals, permutations, Gumbel."""
    def train(w, x, key, seed):
        own = jax.random.wrap_key_data(key, impl="rbg")
        mask = jax.random.bernoulli(own, 0.9, x.shape)
        third = jax.random.key(seed)
        x = jnp.where(mask, x / 0.9, 0) + 0.1 * jax.random.truncated_normal(third, -2, 2, x.shape)
        x = jax.random.permutation(third, x) * jax.random.gumbel(third, x.shape) + jax.random.randint(third, x.shape, 0, 10)
        g = jax.grad(lambda w: jnp.mean(jnp.abs(x @ w)))(w)
        return w - 0.1 * g, jax.random.key_data(jax.random.split(own)[0])
    return jax.jit(train), (normal(64, 64), normal(256, 64), whole(4, dtype=jnp.uint32), whole())

@step
def fourier():
    """A Fourier neural operator: rfft, complex products, irfft."""
    def loss(w, x, y):
        for r, i, d in w:
            f = jnp.fft.rfft(x, axis=1)[:, :16]
            g = jnp.einsum("bkc,kcd->bkd", f, r + 1j * i)
            x = jax.nn.gelu(jnp.fft.irfft(jnp.pad(g, ((0, 0), (0, 17), (0, 0))), axis=1) + x @ d)
        return squares(x, y)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    return jax.jit(train), ([(normal(16, 32, 32), normal(16, 32, 32), normal(32, 32))] * 2, normal(8, 64, 32), normal(8, 64, 32))

@step
def linear_algebra():
    """A Gaussian process: cholesky, triangular solves, log determinant. Calls a library on CPUs."""
    def loss(w, x, y):
        d = ((x[:, None] - x[None]) / jnp.exp(w["scale"])) ** 2
        k = jnp.exp(-d.sum(-1) / 2) + jnp.exp(w["noise"]) * jnp.eye(x.shape[0])
        l = jnp.linalg.cholesky(k)
        a = jax.scipy.linalg.solve_triangular(l, y, lower=True)
        return (a * a).sum() / 2 + jnp.log(jnp.diagonal(l)).sum()
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    return jax.jit(train), ({"scale": normal(4), "noise": normal()}, normal(128, 4), normal(128))

@step
def shard_map_tensor():
    """Two axes by hand: rows summed, weights gathered, pieces passed round, experts exchanged."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(4, 2), ("rows", "parts"))
    def loss(w, x, y):
        up = lax.all_gather(w[0], "rows", axis=0, tiled=True)
        h = jax.nn.relu(x @ up)
        h = lax.ppermute(h, "parts", [(0, 1), (1, 0)])
        h = lax.all_to_all(h, "rows", 1, 0, tiled=True)
        h = lax.all_to_all(h, "rows", 0, 1, tiled=True)
        out = lax.psum(h @ w[1], "parts")
        largest = lax.pmax(lax.stop_gradient(out).max(), "rows")
        return lax.pmean(squares(out / (1 + jnp.abs(largest)), y), "rows") + 0 * lax.axis_index("rows")
    def local(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return [w[0] - 0.1 * g[0], w[1] - 0.1 * lax.psum(g[1], "rows")], value
    w_specs = [P("rows", "parts"), P("parts", None)]
    train = jax.shard_map(local, mesh=mesh, in_specs=(w_specs, P("rows"), P("rows")), out_specs=(w_specs, P()), check_vma=False)
    return jax.jit(train), ([normal(64, 256), normal(256, 32)], normal(128, 64), normal(128, 32))

@step
def pjit_sharded():
    """Fully sharded by annotation, with remat, a scan over layers and dots kept."""
    mesh = Mesh(np.array(jax.devices()[:8]).reshape(2, 4), ("data", "model"))
    def place(*axes): return NamedSharding(mesh, P(*axes))
    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_with_no_batch_dims_saveable)
    def layer(x, w):
        h = lax.with_sharding_constraint(jax.nn.gelu(x @ w[0]), place("data", None, "model"))
        return x + h @ w[1], None
    def loss(w, x, y): return squares(lax.scan(layer, x, w)[0], y)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    ws = (place(None, "data", "model"), place(None, "model", "data"))
    xs = place("data")
    return jax.jit(train, in_shardings=(ws, xs, xs), out_shardings=(ws, place()), donate_argnums=0), (
        (normal(4, 128, 512), normal(4, 512, 128)), normal(8, 64, 128), normal(8, 64, 128))

@step
def branches():
    """cond and switch in a step: loss scaling that skips updates that are not finite; an optimizer that accumulates."""
    def loss(w, x, y, kind):
        h = lax.switch(kind, [jax.nn.relu, jnp.tanh, lambda x: lax.fori_loop(0, 3, lambda i, x: jnp.sin(x), x)], x @ w[0])
        return squares(h @ w[1], y)
    optimizer = optax.MultiSteps(optax.lion(1e-3), 4)
    def train(w, state, scale, x, y, kind):
        value, g = jax.value_and_grad(lambda *a: scale * loss(*a))(w, x, y, kind)
        fine = jnp.all(jnp.array([jnp.isfinite(a).all() for a in jax.tree.leaves(g)]))
        def update():
            u, s = optimizer.update(jax.tree.map(lambda a: a / scale, g), state, w)
            return optax.apply_updates(w, u), s, scale * 1.001
        return (*lax.cond(fine, update, lambda: (w, state, scale / 2)), value)
    w = [normal(32, 64), normal(64, 8)]
    return jax.jit(train), (w, jax.eval_shape(optimizer.init, w), normal(), normal(64, 32), normal(64, 8), whole())

@step
def open_loop():
    """A while whose trips data decide: a fixed point (deep equilibrium)."""
    def train(w, x):
        def go(c): return (c[1] > 1e-4) & (c[2] < 50)
        def once(c):
            z = jnp.tanh(c[0] @ w + x)
            return z, jnp.abs(z - c[0]).max(), c[2] + 1
        z, _, n = lax.while_loop(go, once, (jnp.zeros_like(x), jnp.float32(1), 0))
        return w - 0.1 * jax.grad(lambda w: squares(jnp.tanh(z @ w + x), 0))(w), n
    return jax.jit(train), (normal(64, 64), normal(16, 64))

@step
def low_precision():
    """bf16 weights with f32 masters, f8 products with scales, int8 weights, int4 and f16."""
    def loss(w, x, y):
        a = (x.astype(jnp.float32) * 8).astype(jnp.float8_e4m3fn)
        h = lax.dot_general(a, w[0].astype(jnp.float8_e4m3fn), (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32)
        h = jax.nn.relu(h).astype(jnp.bfloat16)
        q = jnp.clip(jnp.round(lax.stop_gradient(w[1]).astype(jnp.float32) * 127), -128, 127).astype(jnp.int8)
        o = lax.dot_general(jnp.clip(h * 16, -127, 127).astype(jnp.int8), q, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
        e = h.astype(jnp.float8_e5m2).astype(jnp.float16)
        return squares((h @ w[1].astype(jnp.bfloat16)).astype(jnp.float32) + 1e-4 * o + e.mean(), y)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return [a - 0.1 * b.astype(jnp.float32) for a, b in zip(w, g)], value
    return jax.jit(train), ([normal(64, 128), normal(128, 32)], normal(32, 64, dtype=jnp.bfloat16), normal(32, 32))

@step
def many_axes():
    """Windows of a Swin Transformer in 3-D: arrays of seven and eight axes."""
    def loss(w, x, y):
        b = x.shape[0]
        v = x.reshape(b, 2, 4, 2, 4, 2, 4, 32).transpose(0, 1, 3, 5, 2, 4, 6, 7)
        v = v.reshape(b * 8, 64, 32)
        q, k, u = jnp.split(v @ w[0], 3, -1)
        s = jax.nn.softmax(q @ k.swapaxes(1, 2)) @ u
        s = s.reshape(b, 2, 2, 2, 4, 4, 4, 32).transpose(0, 1, 4, 2, 5, 3, 6, 7).reshape(x.shape)
        return squares(jnp.roll(s, (2, 2, 2), (1, 2, 3)) @ w[1], y)
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return [a - 0.1 * b for a, b in zip(w, g)], value
    return jax.jit(train), ([normal(32, 96), normal(32, 32)], normal(2, 8, 8, 8, 32), normal(2, 8, 8, 8, 32))

@step
def batch_norm_images():
    class Net(nn.Module):
        @nn.compact
        def __call__(self, x, train=True):
            for width in (16, 32):
                y = nn.relu(nn.BatchNorm(use_running_average=not train)(nn.Conv(width, (3, 3), (2, 2), use_bias=False)(x)))
                y = nn.Conv(width, (3, 3), feature_group_count=width)(y)
                x = nn.Conv(width, (1, 1), (2, 2))(x) + y
            x = nn.Dropout(0.5, deterministic=not train)(nn.max_pool(x, (2, 2), (2, 2)).mean((1, 2)))
            return nn.Dense(10)(x)
    return trained(Net(), optax.chain(optax.add_decayed_weights(1e-4), optax.sgd(0.1, 0.9, nesterov=True)), classes,
                   normal(16, 32, 32, 3), whole(16), rngs={"dropout": jax.random.key(1)}, train=True)

@step
def gan():
    """Two networks in one step, spectral norms by power iterations, lamb and adafactor."""
    def g(w, z): return jnp.tanh(jax.nn.leaky_relu(z @ w[0]) @ w[1])
    def d(w, u, x):
        def norm(w, u):
            def once(_, u):
                v = w.T @ u; v = v / jnp.linalg.norm(v)
                u = w @ v
                return u / jnp.linalg.norm(u)
            u = lax.fori_loop(0, 2, once, u)
            return lax.stop_gradient(u)
        u = norm(w[0], u)
        s = jnp.linalg.norm(w[0].T @ u)
        return (jax.nn.elu(x @ (w[0] / s)) @ w[1])[:, 0], u
    og, od = optax.lamb(1e-3), optax.adafactor(1e-3)
    def train(wg, wd, sg, sd, u, z, x):
        def ld(wd):
            real, u2 = d(wd, u, x)
            fake, _ = d(wd, u, g(wg, z))
            return jax.nn.softplus(-real).mean() + jax.nn.softplus(fake).mean(), u2
        (vd, u2), gd = jax.value_and_grad(ld, has_aux=True)(wd)
        vg, gg = jax.value_and_grad(lambda wg: jax.nn.softplus(-d(wd, u, g(wg, z))[0]).mean())(wg)
        ug, sg = og.update(gg, sg, wg)
        ud, sd = od.update(gd, sd, wd)
        return optax.apply_updates(wg, ug), optax.apply_updates(wd, ud), sg, sd, u2, vg, vd
    wg, wd = [normal(16, 128), normal(128, 256)], [normal(256, 128), normal(128, 1)]
    return jax.jit(train), (wg, wd, jax.eval_shape(og.init, wg), jax.eval_shape(od.init, wd), normal(256), normal(32, 16), normal(32, 256))

@step
def contrastive():
    """CLIP's loss between a CNN and an embedding bag, CTC's loop, log-sum-exp over negatives, l2 norms."""
    def loss(w, image, tokens, labels):
        a = lax.conv(image, w["conv"], (4, 4), "VALID").reshape(image.shape[0], -1) @ w["image"]
        b = w["embed"][tokens].mean(1) @ w["text"]
        a = a / jnp.linalg.norm(a, axis=1, keepdims=True)
        b = b / jnp.linalg.norm(b, axis=1, keepdims=True)
        s = jnp.exp(w["t"]) * a @ b.T
        both = classes(s, jnp.arange(s.shape[0])) + classes(s.T, jnp.arange(s.shape[0]))
        return both + optax.ctc_loss((w["embed"][tokens] @ w["ctc"]), jnp.zeros(tokens.shape), labels, jnp.zeros(labels.shape)).mean()
    def train(w, *data):
        value, g = jax.value_and_grad(loss)(w, *data)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g), value
    w = {"conv": normal(8, 3, 4, 4), "image": normal(512, 64), "embed": normal(100, 32), "text": normal(32, 64), "t": normal(), "ctc": normal(32, 12)}
    return jax.jit(train), (w, normal(16, 3, 32, 32), whole(16, 20), whole(16, 6))

@step
def second_order():
    """A Hessian-vector product in a meta-step (MAML), vmapped tasks, jvp."""
    def net(w, x): return jnp.sin(x @ w[0]) @ w[1]
    def inner(w, x, y):
        g = jax.grad(lambda w: squares(net(w, x), y))(w)
        return jax.tree.map(lambda a, b: a - 0.1 * b, w, g)
    def task(w, x, y): return squares(net(inner(inner(w, x, y), x, y), x), y)
    def train(w, x, y):
        f = lambda w: jax.vmap(task, (None, 0, 0))(w, x, y).mean()
        value, g = jax.value_and_grad(f)(w)
        _, curve = jax.jvp(jax.grad(f), (w,), (g,))
        dot = sum((a * b).sum() for a, b in zip(g, curve))
        return jax.tree.map(lambda a, b: a - 0.01 * b / (1 + jnp.abs(dot)), w, g), value
    return jax.jit(train), ([normal(4, 40), normal(40, 2)], normal(16, 10, 4), normal(16, 10, 2))

@step
def triangular_mask_lm():
    """A decoder with rotary positions, windows, soft caps, dropout by threefry, micro-batches summed in a scan."""
    def rotary(x):
        t = jnp.arange(x.shape[1])[:, None] / 10000.0 ** (jnp.arange(0, 16) / 16)
        a, b = jnp.split(x, 2, -1)
        s, c = jnp.sin(t)[:, None], jnp.cos(t)[:, None]
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)
    def loss(w, tokens, key):
        x = w["embed"][tokens[:, :-1]].astype(jnp.bfloat16)
        for i in range(2):
            l = jax.tree.map(lambda a: a[i].astype(jnp.bfloat16), w["layers"])
            y = x * lax.rsqrt(jnp.mean(jnp.square(x.astype(jnp.float32)), -1, keepdims=True) + 1e-6).astype(jnp.bfloat16)
            q = rotary((y @ l["q"]).reshape(*y.shape[:2], 4, 32)); k = rotary((y @ l["k"]).reshape(*y.shape[:2], 1, 32))
            s = 50 * jnp.tanh(jnp.einsum("bqhd,bkgd->bhqk", q, k, preferred_element_type=jnp.float32) / 50)
            near = jnp.tril(jnp.ones(s.shape[-2:], bool)) & ~jnp.tril(jnp.ones(s.shape[-2:], bool), -16)
            p = jax.nn.softmax(jnp.where(near, s, jnp.finfo(jnp.float32).min)).astype(jnp.bfloat16)
            v = (y @ l["v"]).reshape(*y.shape[:2], 1, 32)
            x = x + jnp.einsum("bhqk,bkgd->bqhd", p, v).reshape(*y.shape[:2], 128) @ l["o"]
            keep = jax.random.bernoulli(jax.random.fold_in(key, i), 0.9, x.shape)
            x = jnp.where(keep, x / 0.9, 0) + (jax.nn.silu(x @ l["gate"]) * (x @ l["up"])) @ l["down"]
        return classes((x @ w["embed"].T.astype(jnp.bfloat16)).astype(jnp.float32), tokens[:, 1:])
    optimizer = optax.adamw(1e-3, mu_dtype=jnp.bfloat16)
    def train(w, state, tokens, key):
        def micro(total, t):
            value, g = jax.value_and_grad(loss)(w, t, key)
            return jax.tree.map(jnp.add, total, g), value
        g, values = lax.scan(micro, jax.tree.map(jnp.zeros_like, w), tokens)
        u, state = optimizer.update(g, state, w)
        return optax.apply_updates(w, u), state, values.mean()
    n, d = 2, 128
    layers = {k: normal(n, a, b) for k, a, b in (("q", d, d), ("k", d, 32), ("v", d, 32), ("o", d, d), ("gate", d, 352), ("up", d, 352), ("down", 352, d))}
    w = {"embed": normal(512, d), "layers": layers}
    return jax.jit(train, donate_argnums=(0, 1)), (w, jax.eval_shape(optimizer.init, w), whole(4, 2, 65), whole(2, dtype=jnp.uint32))

@step
def symbolic_batch():
    """Exported with a batch that is open."""
    def train(w, x, y):
        value, g = jax.value_and_grad(lambda w: squares(jax.nn.relu(x @ w[0]) @ w[1], y))(w)
        return [a - 0.1 * b for a, b in zip(w, g)], value
    b, = jax.export.symbolic_shape("b")
    return jax.jit(train), ([normal(64, 128), normal(128, 8)], normal(b, 64), normal(b, 8))

@step
def no_products():
    """Elementwise alone, in f32 and integers, with every function of jnp that comes to mind."""
    def train(w, x, n):
        def f(w):
            v = jnp.exp(w) + jnp.log1p(w * w) + jnp.expm1(w) + jnp.arctan2(w, x) + jnp.arcsinh(w) + jnp.cbrt(w) + jnp.tan(w) + lax.erf_inv(jnp.tanh(w) * 0.9)
            v += jnp.sinh(w) + jnp.cosh(w) + jnp.arctan(w) + jnp.arcsin(jnp.tanh(w)) + jax.scipy.special.gammaln(1 + w * w) + jax.scipy.special.digamma(1 + w * w)
            v += jnp.power(jnp.abs(w) + 1, x) + jnp.remainder(w, 0.7) + jnp.floor_divide(w, 0.3) + jnp.hypot(w, x) + jnp.sinc(w) + jnp.logaddexp(w, x)
            return v.sum()
        g = jax.grad(f)(w)
        bits = lax.population_count(n) + lax.clz(n) + (n << 3) + (n >> 2) + (n // 7) + (n % 5) + jnp.bitwise_xor(n, 77) + ~n
        return w - jnp.sign(g) * jnp.nan_to_num(jnp.round(w)), bits, lax.nextafter(x, w), lax.reduce_precision(w, 5, 10)
    return jax.jit(train), (normal(32, 128), normal(32, 128), whole(32, 128))

def lowered(name):
    train, arguments = steps[name]()
    if name == "symbolic_batch":
        text = jax.export.export(train)(*arguments).mlir_module()
        return text, text
    low = train.lower(*arguments)
    return low.as_text(), low.as_text(debug_info=True)

if __name__ == "__main__":
    folder, *names = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name in names or steps:
        try:
            plain, debug = lowered(name)
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}")
            continue
        for ending, text in ((".mlir", plain), (".debug.mlir", debug)):
            with open(os.path.join(folder, name + ending), "w") as file: file.write(text)
        print(f"{name}: {plain.count(chr(10))} lines")
