"""large_sweep.py FOLDER [RUNS ROWS]: a sweep as a run would leave it, of noise that decays to a floor (500 runs of 1000 rows)."""
import json
import math
import os
import random
import sys

METHODS = ["k-gt", "d-sgd", "gt", "led", "periodical-gt"]
HEADER = ("round,gradients,passes,bytes_total,bytes_busiest,seconds,loss,suboptimality,grad_norm2,consensus,correction_error,"
          "drift,heterogeneity,train_loss,test_loss,test_accuracy,worst_node_accuracy\n")


def row(noise, k, rate):
    level = math.exp(-rate * k) + 1e-4
    figures = [level * (1 + 0.3 * noise.random()) for _ in range(5)]
    return (f"{k},{20 * k},,{1600 * k},{640 * k},{0.001 * k + 1e-5 * noise.random()},"
            f"{figures[0]},{figures[1]},{figures[2]},{figures[3]},{figures[4]},,{1 + level * noise.random()},,,,\n")


def main(folder, runs=500, rows=1000):
    os.makedirs(folder)
    with open(os.path.join(folder, "experiment.toml"), "w") as file:
        file.write("# made up\n")
    for run in range(runs):
        noise = random.Random(run)
        inner = os.path.join(folder, f"run-{run:04}")
        os.makedirs(inner)
        method = METHODS[run % len(METHODS)]
        with open(os.path.join(inner, "config.toml"), "w") as file:
            file.write(f'[problem]\nkind = "least_squares"\nheterogeneity = {run // len(METHODS) % 10}.0\n[network]\ntopology = "ring"\n'
                       f'[algorithm]\nkind = "{method}"\nlocal_rate = {1e-3 * (1 + run // (10 * len(METHODS)))}\n'
                       f'[run]\nrounds = {rows - 1}\nseed = 1\ntarget = 0.01\n')
        with open(os.path.join(inner, "metrics.csv"), "w") as file:
            file.write(HEADER + "".join(row(noise, k, 0.01 * (1 + run % 7)) for k in range(rows)))
        with open(os.path.join(inner, "summary.json"), "w") as file:
            json.dump({"outcome": "finished", "host": "none", "seconds": 1.0}, file)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
