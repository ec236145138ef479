import { MICROS } from './records.ts';

/** Millionths of a US dollar as text, without trailing zeros beyond the cents. */
export const usdText = (micros: number): string => {
  const [whole, cents = ''] = (micros / MICROS).toFixed(6).split('.');
  return `$${whole}.${cents.replace(/0{1,4}$/, '')}`;
};
