"""Trains the models that predict how good a reading of a page is, from what `npm run reading -- quality` wrote.

    OMP_NUM_THREADS=1 python3 training/reading/train_quality.py FILE.quality

Prints how predictions for hosts that a model has not seen compare with the truth.
"""

import argparse
import json

import numpy as np
from forests import FOLDS, fold_of, written
from sklearn.ensemble import HistGradientBoostingRegressor

MODELS = "packages/extract/src/quality/{}-model.tsv"
# how often such a text comes from a provider, next to the text of a good reader
WEIGHTS = {"whole": 0.7, "start": 0.25, "around": 0.25, "description": 0.15}


def train(signs, f1, weights):
    model = HistGradientBoostingRegressor(
        max_iter=60, learning_rate=0.1, max_leaf_nodes=8, min_samples_leaf=40, l2_regularization=5, random_state=0
    )
    return model.fit(signs, f1, sample_weight=weights)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("examples")
    with open(f"{parser.parse_args().examples}.jsonl") as lines:
        names = json.loads(next(lines))
        examples = [json.loads(line) for line in lines]
    for name in names:
        own = [example for example in examples if example["model"] == name]
        signs = np.array([example["signs"] for example in own], dtype=np.float32)
        f1 = np.array([example["f1"] for example in own])
        weights = np.array([WEIGHTS.get(example["variant"], 1.0) for example in own])
        with open(MODELS.format(name), "w") as file:
            file.write(written(train(signs, f1, weights), names[name]))
        folds = np.array([fold_of(example["url"]) for example in own])
        found = np.zeros(len(own))
        for fold in range(FOLDS):
            is_held = folds == fold
            found[is_held] = train(signs[~is_held], f1[~is_held], weights[~is_held]).predict(signs[is_held])
        error = np.sqrt(np.average((found - f1) ** 2, weights=weights))
        print(f"{name}: {len(own)} readings, error {error:.3f}, correlation {np.corrcoef(found, f1)[0, 1]:.3f}")
        for low in np.arange(0, 1, 0.1):
            within = (found >= low) & (found < low + 0.1)
            if within.any():
                means = [np.average(values[within], weights=weights[within]) for values in (found, f1)]
                print(f"  {low:.1f}: {within.sum()} predicted {means[0]:.3f} real {means[1]:.3f}")


main()
