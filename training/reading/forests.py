"""What the trainings share: the split by hosts, and the file of a model."""

import hashlib
from urllib.parse import urlparse

import numpy as np

FOLDS = 5


def fold_of(url):
    """Pages of one site are in the same fold."""
    host = ".".join((urlparse(url).hostname or "").split(".")[-2:])
    return int(hashlib.md5(host.encode()).hexdigest(), 16) % FOLDS



def written(model, names):
    """The names of the signs, then a line for each tree: the number of a sign, its limit, the tree for values up to the
    limit and the tree for those above it; or a value."""
    lines = ["\t".join(names), f"{float(np.ravel(model._baseline_prediction)[0]):.6g}"]
    for (tree,) in model._predictors:
        def node(at):
            row = tree.nodes[at]
            if row["is_leaf"]:
                return f"{row['value']:.5g}"
            return f"{row['feature_idx']}:{row['num_threshold']:.7g} {node(row['left'])} {node(row['right'])}"
        lines.append(node(0))
    return "\n".join(lines) + "\n"
