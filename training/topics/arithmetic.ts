/** The arithmetic of a training step. */

export const MEAN_DECAY = 0.9;
export const SQUARE_DECAY = 0.999;

/** Adam's memory of one array of weights. */
export interface Parameter {
  readonly weights: Float32Array;
  readonly gradient: Float32Array;
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

export interface Step {
  readonly rate: number;
  readonly meanScale: number;
  readonly squareScale: number;
}

export const parameter = (weights: Float32Array): Parameter => ({
  weights,
  gradient: new Float32Array(weights.length),
  mean: new Float32Array(weights.length),
  square: new Float32Array(weights.length),
});

export function addRow(
  sums: Float64Array,
  matrix: Float32Array,
  from: number,
  value: number,
): void {
  for (let at = 0; at < sums.length; at += 1) {
    sums[at] = (sums[at] ?? 0) + value * (matrix[from + at] ?? 0);
  }
}

export function addTo(
  gradient: Float32Array,
  from: number,
  errors: Float64Array,
  value: number,
): void {
  for (let at = 0; at < errors.length; at += 1) {
    gradient[from + at] = (gradient[from + at] ?? 0) + value * (errors[at] ?? 0);
  }
}

export function dot(matrix: Float32Array, from: number, errors: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < errors.length; at += 1) {
    sum += (matrix[from + at] ?? 0) * (errors[at] ?? 0);
  }
  return sum;
}

/** Turns logits into the gradient of the cross entropy. */
export function intoErrors(
  logits: Float64Array,
  topic: number,
  smoothing: number,
  share: number,
): void {
  const highest = Math.max(...logits);
  let sum = 0;
  for (const [at, logit] of logits.entries()) {
    logits[at] = Math.exp(logit - highest);
    sum += logits[at] ?? 0;
  }
  for (const [at, power] of logits.entries()) {
    const wanted = (at === topic ? 1 - smoothing : 0) + smoothing / logits.length;
    logits[at] = (power / sum - wanted) * share;
  }
}

export function adam(
  { weights, gradient, mean, square }: Parameter,
  from: number,
  length: number,
  { rate, meanScale, squareScale }: Step,
  decay: number,
): void {
  for (let at = from; at < from + length; at += 1) {
    const slope = gradient[at] ?? 0;
    gradient[at] = 0;
    const newMean = MEAN_DECAY * (mean[at] ?? 0) + (1 - MEAN_DECAY) * slope;
    const newSquare = SQUARE_DECAY * (square[at] ?? 0) + (1 - SQUARE_DECAY) * slope * slope;
    mean[at] = newMean;
    square[at] = newSquare;
    const stride = newMean / meanScale / (Math.sqrt(newSquare / squareScale) + 1e-8);
    weights[at] = (weights[at] ?? 0) * (1 - rate * decay) - rate * stride;
  }
}
