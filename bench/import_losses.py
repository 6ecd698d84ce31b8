"""Small training steps with the losses that JAX computes for them: what imported steps are held to.

    pip install jax==0.10.2
    import_losses.py tests/engine/formats/stablehlo/executed

Writes NAME.mlir and NAME.safetensors: arg0, arg1 .. as the first step gets them, an axis more in front
where each step has its own, and the losses of 20 steps at `highest`.
"""
import json, os, struct, sys
os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax, jax.numpy as jnp, numpy as np
from jax import lax
jax.config.update("jax_default_matmul_precision", "highest")
key = iter(jax.random.split(jax.random.key(7), 100))
def normal(*shape, scale=1.0): return np.asarray(scale * jax.random.normal(next(key), shape), np.float32)
def whole(high, *shape): return np.asarray(jax.random.randint(next(key), shape, 0, high), np.int32)
def classes(logits, y): return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[..., None], -1))

def adam(w, g, state, rate):
    m, v, n = state
    n = n + 1
    m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
    v = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, v, g)
    t = n.astype(jnp.float32)
    new = jax.tree.map(lambda w, m, v: w - rate * (m / (1 - 0.9 ** t)) / (jnp.sqrt(v / (1 - 0.999 ** t)) + 1e-8), w, m, v)
    return new, (m, v, n)
def fresh(w): return (jax.tree.map(np.zeros_like, w), jax.tree.map(np.zeros_like, w), np.int32(0))

def mlp():
    def loss(w, x, y):
        for a, b in w[:-1]: x = jax.nn.relu(x @ a + b)
        return classes(x @ w[-1][0] + w[-1][1], y)
    def train(w, state, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        w, state = adam(w, g, state, 1e-2)
        return w, state, value
    w = [(normal(16, 32, scale=0.25), np.zeros(32, np.float32)), (normal(32, 10, scale=0.2), np.zeros(10, np.float32))]
    return train, (w, fresh(w)), (normal(2, 24, 16), whole(10, 2, 24))

def cnn():
    """Strides, padding, groups, a pool, batch statistics, momentum."""
    def loss(w, x, y):
        c = lambda x, f, s, g=1: lax.conv_general_dilated(x, f, (s, s), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=g)
        x = c(x, w["a"], 1)
        x = jax.nn.relu((x - x.mean((0, 1, 2))) / jnp.sqrt(x.var((0, 1, 2)) + 1e-5) * w["scale"])
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        x = jax.nn.gelu(c(x, w["b"], 2) + c(x, w["d"], 2, 8))
        return classes(x.mean((1, 2)) @ w["out"], y)
    def train(w, m, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        m = jax.tree.map(lambda m, g: 0.9 * m + g, m, g)
        return jax.tree.map(lambda w, m: w - 0.05 * m, w, m), m, value
    w = {"a": normal(3, 3, 3, 8, scale=0.2), "scale": np.ones(8, np.float32), "b": normal(3, 3, 8, 8, scale=0.1), "d": normal(3, 3, 1, 8, scale=0.3), "out": normal(8, 5, scale=0.3)}
    return train, (w, jax.tree.map(np.zeros_like, w)), (normal(8, 8, 8, 3), whole(5, 8))

def decoder():
    """An embedding, a scan over layers with causal attention, rotary positions, AdamW and clipping."""
    def rotary(x):
        t = jnp.arange(x.shape[1])[:, None] / 100.0 ** (jnp.arange(4) / 4)
        a, b = jnp.split(x, 2, -1)
        s, c = jnp.sin(t)[:, None], jnp.cos(t)[:, None]
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)
    def layer(x, w):
        y = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
        q, k, v = [(y @ w[n]).reshape(*y.shape[:2], 2, 8) for n in "qkv"]
        s = jnp.einsum("bqhd,bkhd->bhqk", rotary(q), rotary(k)) / 8 ** 0.5
        s = jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool)), s, -1e30)
        x = x + jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(s), v).reshape(x.shape) @ w["o"]
        return x + (jax.nn.silu(x @ w["gate"]) * (x @ w["up"])) @ w["down"], None
    def loss(w, tokens):
        x = lax.scan(layer, w["embed"][tokens[:, :-1]], w["layers"])[0]
        return classes(x @ w["embed"].T, tokens[:, 1:])
    def train(w, state, tokens):
        value, g = jax.value_and_grad(loss)(w, tokens)
        norm = jnp.sqrt(sum(jnp.sum(a * a) for a in jax.tree.leaves(g)))
        g = jax.tree.map(lambda a: a * jnp.minimum(1, 1 / norm), g)
        new, state = adam(w, g, state, 1e-2)
        return jax.tree.map(lambda a, b: a - 1e-3 * b, new, w), state, value
    layers = {n: normal(2, a, b, scale=0.2) for n, a, b in (("q", 16, 16), ("k", 16, 16), ("v", 16, 16), ("o", 16, 16), ("gate", 16, 32), ("up", 16, 32), ("down", 32, 16))}
    w = {"embed": normal(30, 16, scale=0.5), "layers": layers}
    return train, (w, fresh(w)), (whole(30, 5, 4, 13),)

def recurrent():
    """A gated cell in a scan, a while inside of it, branches, plain gradient descent in bf16 and f32."""
    def loss(w, x, y):
        def cell(h, x):
            z = jax.nn.sigmoid(x @ w["z"] + h @ w["u"])
            n = lax.fori_loop(0, 2, lambda i, n: jnp.tanh(n + x @ w["n"]), h)
            return (1 - z) * n + z * h, n.max()
        h, largest = lax.scan(cell, jnp.zeros((x.shape[0], 12)), x.swapaxes(0, 1))
        out = h @ w["o"]
        return lax.cond(largest[0] > 0.5, lambda: jnp.mean((out - y) ** 2), lambda: jnp.mean(jnp.abs(out - y)))
    def train(w, x, y):
        value, g = jax.value_and_grad(loss)(w, x, y)
        return jax.tree.map(lambda a, b: a - 0.1 * jnp.clip(b, -1, 1), w, g), value
    w = {"z": normal(6, 12, scale=0.3), "u": normal(12, 12, scale=0.3), "n": normal(6, 12, scale=0.3), "o": normal(12, 3, scale=0.3)}
    return train, (w,), (normal(10, 4, 7, 6), normal(10, 4, 3))

def write(path, arrays):
    header, data = {}, b""
    for name, a in arrays.items():
        raw = np.ascontiguousarray(a, np.float32).tobytes()
        header[name] = {"dtype": "F32", "shape": list(np.shape(a)), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as file: file.write(struct.pack("<Q", len(text)) + text + data)

for make in (mlp, cnn, decoder, recurrent):
    train, state, batches = make()
    each = make is not cnn                       # its batch is the same in every step
    rows = lambda i: [jnp.asarray(b[i % len(b)] if each else b) for b in batches]
    step = jax.jit(train, donate_argnums=tuple(range(len(state))))
    text = step.lower(*state, *rows(0)).as_text()
    arguments = {f"arg{i}": a for i, a in enumerate(jax.tree.leaves((*state, *batches)))}
    losses, now = [], jax.tree.map(jnp.asarray, state)
    for i in range(20):
        *now, value = step(*now, *rows(i))
        losses.append(float(value))
    path = os.path.join(sys.argv[1], make.__name__)
    with open(path + ".mlir", "w") as file: file.write(text)
    write(path + ".safetensors", {**arguments, "losses": np.array(losses)})
    print(make.__name__, losses[0], losses[-1], len(text))
