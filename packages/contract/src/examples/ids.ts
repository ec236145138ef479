/** A provider of the examples. */
export const PROVIDER = 'exa';

/** Ids and times of the examples. */
export const ID = {
  deployment: '019a7b1c-0000-7000-8000-000000000001',
  project: '019a7a11-8c40-7d15-9f02-5b3e7c1a6d48',
  key: '019a7a11-9b7e-7c3d-8a51-e20f4d6b8c97',
  newKey: '019a7b1c-0a52-7f10-b3c4-6d9e1f2a7b85',
  session: '019a7b1c-52e0-7c21-9b54-2f1d8e7a4c30',
  olderSession: '019a7a90-1f3c-7b02-8d11-6f0c5a2e9b77',
  interaction: '019a7b1c-52e4-7d08-a6c3-91b0f4d2e815',
  laterInteraction: '019a7b1c-5810-7b21-9e47-0d3f6a8c2b54',
  trajectory: '019a7b1c-52e4-7d08-a6c3-91b0f4d2e816',
  run: '019a7b1c-52f1-7a40-b0d9-3c7e15a8f620',
  secondRun: '019a7b1c-52f2-7e1b-9c44-d80a6b3f7152',
  postprocessorRun: '019a7b1c-5801-7f3d-8a20-4be9c67d0a91',
  watch: '019a7b1c-52de-7a15-8f02-6b1d4e9c3a70',
  request: '019a7b1c-52de-7b6f-93a5-70c1e2d4f8b6',
} as const;

export const TIME = {
  began: '2026-03-02T09:14:07.872Z',
  ended: '2026-03-02T09:14:09.215Z',
} as const;
