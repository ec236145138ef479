/** Bounds of whole requests, in seconds: searches take about one, fetches up to two minutes. */
export const requestSeconds = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
];

/** Bounds of calls to providers, in seconds: hardly any answers in less than 50 ms. */
export const callSeconds = [0.05, 0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 5, 10, 30, 60, 120];

/** Bounds of waits, in seconds. */
export const waitSeconds = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/** Bounds of our own work, in seconds. */
export const workSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
