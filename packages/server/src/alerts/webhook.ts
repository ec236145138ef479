import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { faultCode } from '@trawl/base';
import type { AlertEnd } from '@trawl/store';

/** Where alerts are posted, as the operator set it. */
export interface Webhook {
  /** May be a private address. It may be a secret itself. */
  readonly url: string;
  readonly secret: string;
}

export const SIGNATURE_HEADER = 'x-trawl-signature';

/** How long one try may take, until the head of the answer. */
const TRY_MS = 5_000;
/** The pauses before the second and the third try. */
const PAUSES_MS = [1_000, 5_000];

export interface PostOptions {
  /** Ends the tries. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The time of one try and the pauses before the next ones. */
  readonly timing?: { readonly tryMs: number; readonly pausesMs: readonly number[] } | undefined;
}

/**
 * Posts a body until an answer is a 2xx, three times at most. Redirects are not followed: they are
 * failures. Never rejects; the problem never repeats the address or the answer.
 */
export async function postSigned(
  webhook: Webhook,
  body: string,
  { signal, now, timing = { tryMs: TRY_MS, pausesMs: PAUSES_MS } }: PostOptions,
): Promise<AlertEnd> {
  let problem: string | null = null;
  for (let tries = 1; ; tries += 1) {
    problem = await postOnce(webhook, body, { signal, now, limitMs: timing.tryMs });
    const pauseMs = timing.pausesMs[tries - 1];
    if (problem === null || pauseMs === undefined || signal.aborted) return { tries, problem };
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return { tries, problem };
  }
}

interface TryOptions extends Pick<PostOptions, 'signal' | 'now'> {
  readonly limitMs: number;
}

/** @returns null when the answer is a 2xx */
async function postOnce(
  { url, secret }: Webhook,
  body: string,
  { signal, now, limitMs }: TryOptions,
): Promise<string | null> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'trawl',
        [SIGNATURE_HEADER]: signatureOf(body, secret, Math.floor(now() / 1000)),
      },
      body,
      signal: AbortSignal.any([signal, limit]),
    });
    // nothing of it is read, however long it is
    answer.body?.cancel().catch(() => {});
    if (answer.ok) return null;
    const isRedirect = answer.status >= 300 && answer.status < 400;
    return isRedirect
      ? `HTTP ${answer.status}, a redirect, which is not followed`
      : `HTTP ${answer.status}`;
  } catch (error) {
    if (limit.aborted) return `no answer in ${limitMs / 1000} s`;
    if (signal.aborted) return 'the server stopped';
    const cause = error instanceof Error ? error.cause : undefined;
    return `no connection (${faultCode(cause) ?? faultCode(error) ?? 'unknown'})`;
  }
}

/**
 * `t=SECONDS,v1=HEX`: the time of sending, and the HMAC-SHA256 of `SECONDS.BODY` with the secret.
 * @param seconds since 1970
 */
export function signatureOf(body: string, secret: string, seconds: number): string {
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
