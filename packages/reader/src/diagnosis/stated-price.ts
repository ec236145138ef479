import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '@trawl/contract';

/** A longer header is not read. */
const HEADER_MAX_CHARACTERS = 16_384;

const AMOUNT = /^[a-z]{3} ?\d{1,12}(?:\.\d{1,12})?$/i;

/**
 * The price in the headers of a 402, as stated; null = no price that can be read. Known are
 * `crawler-price` of Cloudflare's pay per crawl and `payment-required` of x402, version 2.
 * https://developers.cloudflare.com/ai-crawl-control/features/pay-per-crawl/
 */
export function priceInHeaders(headers: IncomingHttpHeaders): string | null {
  const price = String(headers['crawler-price'] ?? '').trim();
  if (AMOUNT.test(price)) return price;
  const required = String(headers['payment-required'] ?? '');
  return required.length > HEADER_MAX_CHARACTERS ? null : priceInOffers(decoded(required));
}

function decoded(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
  } catch {
    return null;
  }
}

/**
 * The price of the first offer of an x402 object: the body of a 402 in version 1, its header in
 * version 2. Amounts are in the smallest unit of a token, whose size is not stated.
 * https://github.com/x402-foundation/x402/tree/main/specs
 */
export function priceInOffers(required: unknown): string | null {
  const offers = isJsonObject(required) ? required.accepts : undefined;
  const offer: unknown = Array.isArray(offers) ? offers[0] : undefined;
  if (!isJsonObject(offer)) return null;
  const { maxAmountRequired, amount = maxAmountRequired, asset, extra, network } = offer;
  const token = isJsonObject(extra) ? word(extra.name) : null;
  const unit = token ?? word(asset);
  if (typeof amount !== 'string' || !/^\d{1,40}$/.test(amount) || unit === null) return null;
  const chain = word(network);
  return `${amount} of the smallest unit of ${unit}${chain === null ? '' : ` on ${chain}`}`;
}

/** A name that may be shown in a message; null for anything longer or stranger. */
const word = (value: unknown): string | null =>
  typeof value === 'string' &&
  /^[\w:.-]+(?: [\w:.-]+){0,3}$/.test(value.slice(0, 100)) &&
  value.length <= 100
    ? value
    : null;
