#!/usr/bin/env python3
"""make_sites.py [FOLDER] [--seed N]: made-up patients of five hospitals, the same bytes every time.

Writes site-0.csv … site-4.csv to train on and test-0.csv … test-4.csv to test on. One law, the same everywhere, says
how likely a patient is at high risk; the hospitals differ in how many patients they have, how old these are and how they live.
"""
import argparse
import math
import random
from pathlib import Path

# Patients to train on, their mean age and its deviation, the share of smokers, the mean body mass index.
HOSPITALS = [(800, 56, 13, 0.25, 27.0),  # a university hospital in a city
             (350, 63, 9, 0.35, 28.5),   # a county hospital
             (160, 44, 8, 0.15, 25.0),   # the clinic of a young suburb
             (80, 72, 6, 0.10, 26.0),    # a geriatric ward
             (40, 52, 11, 0.55, 29.5)]   # a practice in a mining town
TEST_PATIENTS = 500
COLUMNS = "age,pressure,cholesterol,bmi,smoker,risk"


def patient(draw, mean_age, deviation, smokers, mean_bmi):
    """One line of a table."""
    age = min(max(draw.gauss(mean_age, deviation), 18), 99)
    bmi = max(draw.gauss(mean_bmi, 4), 15)
    smoker = draw.random() < smokers
    pressure = draw.gauss(124 + 0.4 * (age - 50) + 0.8 * (bmi - 27), 13)
    cholesterol = draw.gauss(200 + 0.6 * (age - 50), 35)
    score = (0.08 * (age - 58) + 0.05 * (pressure - 128) + 0.012 * (cholesterol - 205) + 0.12 * (bmi - 27)
             + 1.4 * (smoker - 0.3))
    risk = "high" if draw.random() < 1 / (1 + math.exp(-score)) else "low"
    return f"{age:.0f},{pressure:.0f},{cholesterol:.0f},{bmi:.1f},{smoker:d},{risk}"


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", nargs="?", type=Path, default=Path())
    options.add_argument("--seed", type=int, default=1, help="other patients of the same hospitals")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    for site, (count, *habits) in enumerate(HOSPITALS):
        for kind, patients in (("site", count), ("test", TEST_PATIENTS)):
            draw = random.Random(f"{given.seed} {kind} {site}")
            lines = [COLUMNS, *(patient(draw, *habits) for _ in range(patients))]
            (given.folder / f"{kind}-{site}.csv").write_text("\n".join(lines) + "\n")


main()
