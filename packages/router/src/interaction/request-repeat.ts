import { createHash } from 'node:crypto';
import { isJsonObject, writeJson } from '@trawl/contract';
import { type ErrorStyle, invalidAt, RequestError } from '../requests/request-error.ts';
import type { RequestRepeat } from './records.ts';

const FORM = /^[\x21-\x7e]{1,255}$/;

/** @throws RequestError 422 for a key of another form */
export function requestRepeat(
  key: string,
  route: string,
  body: unknown,
  style: ErrorStyle,
): RequestRepeat {
  if (!FORM.test(key)) {
    throw wrongKey(key, 'give 1 to 255 printable ASCII characters without spaces', style);
  }
  const bodyDigest = createHash('sha256')
    .update(sortedJson([route, body]))
    .digest('base64url');
  return { key, bodyDigest };
}

/** JSON whose members are sorted: their order does not make another request. */
export const sortedJson = (value: unknown): string => writeJson(value, sortedMembers);

function sortedMembers(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The refusal of a key that belongs to another request. */
export const anotherRequest = (key: string, style: ErrorStyle): RequestError =>
  wrongKey(key, 'this key was used for another request; use a new one', style);

function wrongKey(key: string, fault: string, style: ErrorStyle): RequestError {
  if (style === 'typed') {
    return new RequestError(422, `Idempotency-Key: ${fault}`, {
      typed: { code: 'invalid_request', param: 'Idempotency-Key' },
    });
  }
  return invalidAt(['header', 'idempotency-key'], fault, key);
}
