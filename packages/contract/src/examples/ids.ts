/** A provider of the examples. */
export const PROVIDER = 'exa';

/** Ids of the examples. */
export const ID = {
  project: '019a7a11-8c40-7d15-9f02-5b3e7c1a6d48',
  key: '019a7a11-9b7e-7c3d-8a51-e20f4d6b8c97',
  session: '019a7b1c-52e0-7c21-9b54-2f1d8e7a4c30',
  interaction: '019a7b1c-52e4-7d08-a6c3-91b0f4d2e815',
  watch: '019a7b1c-52de-7a15-8f02-6b1d4e9c3a70',
  request: '019a7b1c-52de-7b6f-93a5-70c1e2d4f8b6',
} as const;

export const TIME = '2026-03-02T09:14:07.872Z';
