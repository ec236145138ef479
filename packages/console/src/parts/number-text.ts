export const MICROS = 1_000_000;
const SIGNIFICANT_DIGITS = 4;

const microsOf = (usd: number): number => Math.round(usd * MICROS);

/** Dollars are added in whole micros, so that nothing is rounded on the way. */
export const sumOfUsd = (amounts: readonly number[]): number =>
  amounts.reduce((sum, usd) => sum + microsOf(usd), 0) / MICROS;

/**
 * Dollars with four significant digits, and at least cents: `$0.003142`, `$1.50`,
 * `$1,204.50`.
 */
export function moneyText(dollars: number): string {
  const before = dollars === 0 ? 1 : Math.floor(Math.log10(Math.abs(dollars))) + 1;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.max(2, SIGNIFICANT_DIGITS - before),
  }).format(dollars);
}

/** All digits of the amount. */
export function exactMoney(usd: number): string {
  const sign = usd < 0 ? '-' : '';
  const size = microsOf(Math.abs(usd));
  const rest = String(size % MICROS).padStart(6, '0');
  return `${sign}$${Math.floor(size / MICROS).toLocaleString('en-US')}.${rest}`;
}

export const wholeText = (value: number): string => value.toLocaleString('en-US');

/** `1 page`, `3 pages`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;

/** A share from 0 to 1 as `12.5 %`. */
export function shareText(share: number): string {
  const percent = share * 100;
  const digits = percent === 0 || percent === 100 || Math.abs(percent) >= 10 ? 0 : 1;
  return `${percent.toFixed(digits)} %`;
}

/** `12 B`, `3.4 KB`, `1.2 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
