/** The directions in which vectors differ most. */
export interface Components {
  readonly mean: Float64Array;
  /** Component × dimension, the strongest first. */
  readonly basis: readonly Float64Array[];
}

const SWEEPS_MAX = 30;
const OFF_DIAGONAL_MIN = 1e-16;

/** The `count` strongest components of `rows` vectors that are stored one after the other. */
export function principalComponents(
  vectors: Float32Array,
  rows: number,
  dimensions: number,
  count: number,
): Components {
  const mean = new Float64Array(dimensions);
  for (let at = 0; at < rows * dimensions; at += 1) {
    mean[at % dimensions] = (mean[at % dimensions] ?? 0) + (vectors[at] ?? 0) / rows;
  }
  return { mean, basis: strongestDirections(vectors, rows, mean, count) };
}

/** Like `principalComponents`, from a given centre. */
export function strongestDirections(
  vectors: Float32Array,
  rows: number,
  centre: Float64Array,
  count: number,
): Float64Array[] {
  const dimensions = centre.length;
  const matrix = covariance(vectors, rows, dimensions, centre);
  const directions = diagonalize(matrix, dimensions);
  const order = [...centre.keys()].sort(
    (a, b) => (matrix[b * dimensions + b] ?? 0) - (matrix[a * dimensions + a] ?? 0),
  );
  const column = (index: number) =>
    Float64Array.from(centre, (_, row) => directions[row * dimensions + index] ?? 0);
  return order.slice(0, count).map(column);
}

export function project({ mean, basis }: Components, vector: Float32Array): Float64Array {
  return Float64Array.from(basis, (direction) =>
    direction.reduce((sum, part, at) => sum + part * ((vector[at] ?? 0) - (mean[at] ?? 0)), 0),
  );
}

function covariance(
  vectors: Float32Array,
  rows: number,
  dimensions: number,
  mean: Float64Array,
): Float64Array {
  const matrix = new Float64Array(dimensions * dimensions);
  const centred = new Float64Array(dimensions);
  for (let row = 0; row < rows; row += 1) {
    for (let at = 0; at < dimensions; at += 1) {
      centred[at] = (vectors[row * dimensions + at] ?? 0) - (mean[at] ?? 0);
    }
    for (let a = 0; a < dimensions; a += 1) {
      const share = (centred[a] ?? 0) / rows;
      for (let b = 0; b < dimensions; b += 1) {
        const at = a * dimensions + b;
        matrix[at] = (matrix[at] ?? 0) + share * (centred[b] ?? 0);
      }
    }
  }
  return matrix;
}

/** Jacobi's method: makes the matrix diagonal and returns its eigenvectors as columns. */
function diagonalize(matrix: Float64Array, size: number): Float64Array {
  const vectors = new Float64Array(size * size);
  for (let at = 0; at < size; at += 1) vectors[at * size + at] = 1;
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    let offDiagonal = 0;
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) {
        const value = matrix[p * size + q] ?? 0;
        offDiagonal += value * value;
        const difference = (matrix[q * size + q] ?? 0) - (matrix[p * size + p] ?? 0);
        if (value !== 0) rotate(matrix, vectors, size, p, q, difference / (2 * value));
      }
    }
    if (offDiagonal < OFF_DIAGONAL_MIN) break;
  }
  return vectors;
}

function rotate(
  matrix: Float64Array,
  vectors: Float64Array,
  size: number,
  p: number,
  q: number,
  theta: number,
): void {
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  const turn = (values: Float64Array, first: number, second: number): void => {
    const a = values[first] ?? 0;
    const b = values[second] ?? 0;
    values[first] = cosine * a - sine * b;
    values[second] = sine * a + cosine * b;
  };
  for (let at = 0; at < size; at += 1) turn(matrix, at * size + p, at * size + q);
  for (let at = 0; at < size; at += 1) turn(matrix, p * size + at, q * size + at);
  for (let at = 0; at < size; at += 1) turn(vectors, at * size + p, at * size + q);
}
