# A small training with habits that cost time on a TPU.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from tpulab_script import Script

torch.manual_seed(0)
device = torch.device("cpu:0")
script = Script("train.jsonl", device)
rows = TensorDataset(torch.randn(84, 8), torch.randint(0, 4, (84,)))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).to(device)
optimizer = torch.optim.Adam(model.parameters())
running = 0.0
for epoch in range(2):
    for x, y in DataLoader(rows, batch_size=32):
        with script:
            x, y = x.to(device), y.to(device)
            counts = torch.bincount(y, minlength=4)
            weight = torch.tensor([1.0, 1.0, 1.0, 2.0]).to(device)
            loss = nn.functional.cross_entropy(model(x), y, weight=weight)
            optimizer.zero_grad()
            loss.backward()
            running += loss.item()
            optimizer.step()
