export type Vector = Float32Array;

/** The direction of a vector: of length 1, or all zeros for a zero vector. */
export function direction(values: ArrayLike<number>): Vector {
  const made = Float32Array.from(values);
  const length = Math.sqrt(dot(made, made));
  return length === 0 ? made : made.map((value) => value / length);
}

export function mean(vectors: readonly Vector[]): Vector {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + value;
  }
  return sum.map((value) => value / vectors.length);
}

export const minus = (a: Vector, b: Vector): Vector =>
  a.map((value, index) => value - (b[index] ?? 0));

export const dot = (a: Vector, b: Vector): number =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

/** Shares that add up to 1; a lower temperature favours the largest. */
export function softmax(values: readonly number[], temperature: number): readonly number[] {
  const most = Math.max(...values);
  const powers = values.map((value) => Math.exp((value - most) / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
