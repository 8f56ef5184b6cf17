"""Writes cnn_reference.bin: gradients of the CNN by PyTorch, for tests/problem/nn/cnn_pytorch_test.cpp.

    python3 tests/golden/cnn_reference.py FOLDER_OF_MNIST tests/golden/cnn_reference.bin

All numbers are little-endian, one array after the other:

    float32  parameters [21840], after 300 steps of SGD on batches of 128: realistic sizes and signs
    uint8    images [16][28][28], the first of the training set; the network sees (p/255 - 0.1307)/0.3081
    uint8    labels [16]
    uint32   masks [16]; bit c: dropout keeps channel c of the second convolution, and doubles it
    float32  gradient [21840] of the mean loss, nothing dropped
    float32  gradient [21840], with the masks
    float64  the two mean losses

Gradients are computed in float64 at the float32 parameters, so that only their rounding is left.
"""

import pathlib
import sys

import numpy as np
import torch
import torch.nn.functional as F

SAMPLES = 16


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = torch.nn.Conv2d(1, 10, 5)
        self.conv2 = torch.nn.Conv2d(10, 20, 5)
        self.fc1 = torch.nn.Linear(320, 50)
        self.fc2 = torch.nn.Linear(50, 10)

    def forward(self, x, multipliers):  # [samples, 20]: what dropout multiplies the channels by
        x = F.relu(F.max_pool2d(self.conv1(x), 2))
        x = self.conv2(x) * multipliers[:, :, None, None]
        x = F.relu(F.max_pool2d(x, 2)).reshape(-1, 320)
        return self.fc2(F.relu(self.fc1(x)))


def flat(tensors):
    return torch.cat([t.detach().reshape(-1) for t in tensors]).numpy()


def main(folder, out):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    folder = pathlib.Path(folder)
    pixels = np.fromfile(folder / "train-images-idx3-ubyte", np.uint8)[16:].reshape(-1, 1, 28, 28)
    labels = np.fromfile(folder / "train-labels-idx1-ubyte", np.uint8)[8:]
    y = torch.from_numpy(labels.astype(np.int64))

    def inputs(samples):
        return torch.from_numpy((pixels[samples].astype(np.float64) / 255 - 0.1307) / 0.3081)

    net = Net()
    optimiser = torch.optim.SGD(net.parameters(), lr=0.05)
    for _ in range(300):
        batch = torch.randint(0, len(labels), (128,))
        kept = 2.0 * (torch.rand(128, 20) < 0.5)
        optimiser.zero_grad()
        F.cross_entropy(net(inputs(batch.numpy()).float(), kept), y[batch]).backward()
        optimiser.step()
    parameters = flat(net.parameters())

    kept = torch.rand(SAMPLES, 20) < 0.5
    masks = (kept.numpy().astype(np.uint32) << np.arange(20, dtype=np.uint32)).sum(1, dtype=np.uint32)
    net = net.double()
    losses, gradients = [], []
    for multipliers in (torch.ones(SAMPLES, 20, dtype=torch.float64), 2 * kept.double()):
        net.zero_grad()
        loss = F.cross_entropy(net(inputs(slice(0, SAMPLES)), multipliers), y[:SAMPLES])
        loss.backward()
        losses.append(loss.item())
        gradients.append(flat(p.grad for p in net.parameters()).astype("<f4"))

    with open(out, "wb") as file:
        for array in (parameters.astype("<f4"), pixels[:SAMPLES], labels[:SAMPLES],
                      masks.astype("<u4"), *gradients, np.array(losses, "<f8")):
            file.write(array.tobytes())
    print(f"losses {losses}, kept channels {kept.sum(1).tolist()}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
