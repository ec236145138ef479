/** Decision trees whose values are added up. All trees are in the same arrays. */
export interface Forest {
  readonly base: number;
  /** The position of each tree's first node. */
  readonly roots: readonly number[];
  /** By node: the input that it looks at; -1 = it is a value. */
  readonly inputs: Int16Array;
  /** By node: the limit of its input, or its value. */
  readonly numbers: Float64Array;
  /** By node: where inputs above the limit continue. Others continue with the next node. */
  readonly above: Int32Array;
}

/**
 * Reads a model as `training/reading/train.py` writes it: the names of the inputs, the base, then a
 * tree a line. A tree is a value, or `input:limit` with the tree for inputs up to the limit and the
 * tree for those above it.
 * @throws Error if the model was trained with other inputs
 */
export function readForest(text: string, signs: readonly string[]): Forest {
  const [names = '', base = '', ...trees] = text.trimEnd().split('\n');
  if (names !== signs.join('\t'))
    throw new Error('a model of the reader has other inputs: train it again');
  const nodes = trees.map((tree) => tree.split(' '));
  const count = nodes.reduce((sum, { length }) => sum + length, 0);
  const inputs = new Int16Array(count);
  const numbers = new Float64Array(count);
  const above = new Int32Array(count);
  const roots: number[] = [];
  let at = 0;
  for (const tree of nodes) {
    roots.push(at);
    /** Nodes whose first branch is being read, or whose second one comes next. */
    const open: number[] = [];
    for (const node of tree) {
      const [input = '', limit] = node.split(':');
      inputs[at] = limit === undefined ? -1 : Number(input);
      numbers[at] = Number(limit ?? input);
      if (limit !== undefined) open.push(at);
      else {
        const parent = open.pop();
        if (parent !== undefined) above[parent] = at + 1;
      }
      at += 1;
    }
  }
  return { base: Number(base), roots, inputs, numbers, above };
}

/** The probability that it gives for its inputs. */
export function chanceOf(forest: Forest, row: Float32Array): number {
  return 1 / (1 + Math.exp(-sumOf(forest, row)));
}

/** The sum of its trees for its inputs. */
export function sumOf(forest: Forest, row: Float32Array): number {
  const { roots, inputs, numbers, above } = forest;
  let sum = forest.base;
  for (const root of roots) {
    let at = root;
    for (let input = inputs[at] ?? -1; input >= 0; input = inputs[at] ?? -1) {
      const isAbove = (row[input] ?? 0) > (numbers[at] ?? 0);
      at = isAbove ? (above[at] ?? 0) : at + 1;
    }
    sum += numbers[at] ?? 0;
  }
  return sum;
}
