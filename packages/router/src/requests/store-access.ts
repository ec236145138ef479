import { CallerLeftError, RequestError } from './request-error.ts';

export const RETRY_AFTER = { 'retry-after': '5' } as const;

/** @throws RequestError 503 where the store does not answer */
export function readStore<Value>(read: () => Promise<Value>): Promise<Value> {
  return orUnavailable('The store cannot be read. Try again later.', read);
}

/** @throws RequestError 503 where the store refuses it */
export function changeStore<Value>(change: () => Promise<Value>): Promise<Value> {
  return orUnavailable('The store cannot be written. Try again later.', change);
}

async function orUnavailable<Value>(detail: string, use: () => Promise<Value>): Promise<Value> {
  try {
    return await use();
  } catch (cause) {
    // the store works: a client left while its long read waited for a place
    if (cause instanceof RequestError || cause instanceof CallerLeftError) throw cause;
    throw new RequestError(503, detail, { headers: RETRY_AFTER, cause });
  }
}
