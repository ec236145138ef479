"""Trains the models that read pages, from what `npm run reading -- signs` wrote.

    OMP_NUM_THREADS=1 python3 training/reading/train.py SIGNS [--held-out]

Needs scikit-learn (Debian: python3-sklearn). `--held-out` also writes SIGNS.held-out.bin: for each passage, what a model
says that has not seen its host.
"""

import argparse
import bisect
import json
from collections import Counter

import numpy as np
from forests import FOLDS, fold_of, written
from sklearn.ensemble import HistGradientBoostingClassifier

MODEL = "packages/extract/src/passages/passage-model.tsv"
# shorter passages are looked for in the order of the page, longer ones by runs of three words
SHORT = 5
# of a passage that a snippet names, next to an average one of a page whose whole text is known
SNIPPET_WEIGHT = 10


def f1(shared, found, expected):
    if found == 0 or expected == 0:
        return 1.0 if found == expected else 0.0
    return 2 * shared / (found + expected)


def kept_passages(page):
    """Which passages are in the expected text."""
    expected, passages = page["expected"], page["passages"]
    runs, places = {}, {}
    for at, word in enumerate(expected):
        places.setdefault(word, []).append(at)
    for at in range(len(expected) - 2):
        runs.setdefault(tuple(expected[at : at + 3]), []).append(at)
    kept = [False] * len(passages)
    known = []
    for index, words in enumerate(passages):
        if len(words) < SHORT:
            continue
        hits = [runs[run] for run in zip(words, words[1:], words[2:]) if run in runs]
        if len(hits) >= (len(words) - 2) / 2:
            kept[index] = True
            known.append((index, hits[len(hits) // 2][0]))
    for index, words in enumerate(passages):
        if 0 < len(words) < SHORT:
            kept[index] = is_near(index, words, expected, places, passages, known)
    return improved(kept, expected, passages)


def is_near(index, words, expected, places, passages, known):
    """Whether a short passage is in the expected text where its neighbours are."""
    found = [at for at in places.get(words[0], []) if expected[at : at + len(words)] == words]
    if not found or not known:
        return bool(found)
    after = bisect.bisect_left(known, (index, 0))
    before = known[after - 1] if after > 0 else None
    following = known[after] if after < len(known) else None
    between = lambda start, end: sum(len(one) for one in passages[start:end])
    low = before[1] - 30 if before else following[1] - 80 - between(index, following[0])
    high = following[1] + 30 if following else before[1] + 80 + between(before[0], index)
    return any(low <= at <= high for at in found)


def improved(kept, expected, passages):
    """Turns passages over as long as that makes the page's F1 better."""
    wanted, have = Counter(expected), Counter()
    size = 0
    for words, is_kept in zip(passages, kept):
        if is_kept:
            have.update(words)
            size += len(words)
    shared = sum(min(count, wanted[word]) for word, count in have.items())
    for _ in range(3):
        has_changed = False
        for index, words in enumerate(passages):
            sign = -1 if kept[index] else 1
            if not words or (sign > 0 and len(words) < SHORT - 1):
                continue
            gain = sum(
                min(have[word] + sign * count, wanted[word]) - min(have[word], wanted[word])
                for word, count in Counter(words).items()
            )
            least = 0.0 if len(words) >= SHORT else 0.0005
            before = f1(shared, size, len(expected))
            if f1(shared + gain, size + sign * len(words), len(expected)) <= before + least + 1e-9:
                continue
            for word in words:
                have[word] += sign
            shared, size, kept[index], has_changed = shared + gain, size + sign * len(words), not kept[index], True
        if not has_changed:
            break
    return kept


def weights_of(pages):
    """Each page counts the same; in it, long passages count more."""
    parts = []
    for page in pages:
        sizes = np.array([len(words) for words in page["passages"]]) ** 0.7 + 0.3
        parts.append((sizes / max(sizes.sum(), 1))[page["signed"]])
    weights = np.concatenate(parts)
    return weights * len(weights) / weights.sum()


def train(signs, kept, weights):
    model = HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.1, max_leaf_nodes=31, min_samples_leaf=300, l2_regularization=5, random_state=0
    )
    return model.fit(signs, kept, sample_weight=weights)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("signs")
    parser.add_argument("--held-out", action="store_true")
    options = parser.parse_args()
    with open(f"{options.signs}.jsonl") as lines:
        pages = [json.loads(line) for line in lines]
    signs = np.fromfile(f"{options.signs}.bin", dtype=np.float32).reshape(-1, len(pages[0]["names"]))
    kept = np.concatenate([np.array(kept_passages(page), dtype=np.int8)[page["signed"]] for page in pages])
    weights = weights_of(pages)
    with open(f"{options.signs}.snippets.jsonl") as lines:
        snippets = [json.loads(line) for line in lines]
    known = np.fromfile(f"{options.signs}.snippets.bin", dtype=np.float32).reshape(len(snippets), -1)
    answers = np.array([snippet["is_content"] for snippet in snippets], dtype=np.int8)
    folds = [fold_of(page["url"]) for page in pages]
    fold = np.repeat(folds, [len(page["signed"]) for page in pages])
    snippet_fold = np.array([fold_of(snippet["url"]) for snippet in snippets])

    def train_without(held):
        own, other = fold != held, snippet_fold != held
        return train(
            np.concatenate([signs[own], known[other]]),
            np.concatenate([kept[own], answers[other]]),
            np.concatenate([weights[own], np.full(other.sum(), SNIPPET_WEIGHT)]),
        )

    with open(MODEL, "w") as file:
        file.write(written(train_without(None), pages[0]["names"]))
    if options.held_out:
        found = np.zeros(len(kept), dtype=np.float32)
        for one in range(FOLDS):
            is_held = fold == one
            found[is_held] = train_without(one).predict_proba(signs[is_held])[:, 1]
        found.tofile(f"{options.signs}.held-out.bin")


main()
