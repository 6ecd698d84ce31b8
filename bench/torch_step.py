# Milliseconds that a training step of 64-1024-1024-10 with Adam takes a CPU in PyTorch, one thread:
# torch_step.py BATCH STEPS prints the lower decile of the fastest of Adam's three loops.
import sys
import time

import torch

torch.set_num_threads(1)
torch.manual_seed(0)
batch, steps = int(sys.argv[1]), int(sys.argv[2])
rows, labels = torch.randn(batch, 64), torch.randint(0, 10, (batch,))
cross_entropy = torch.nn.CrossEntropyLoss()


def decile(**loop):
    layers = torch.nn
    network = layers.Sequential(
        layers.Linear(64, 1024), layers.ReLU(), layers.Linear(1024, 1024), layers.ReLU(), layers.Linear(1024, 10)
    )
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, **loop)
    times = []
    for _ in range(4 + steps):
        start = time.process_time()
        optimizer.zero_grad(set_to_none=True)
        cross_entropy(network(rows), labels).backward()
        optimizer.step()
        times.append(1e3 * (time.process_time() - start))
    return sorted(times[4:])[steps // 10]


print(min(decile(foreach=False), decile(foreach=True), decile(fused=True)))
