import { callerIdOf } from '@trawl/base';
import type { ParsedPage } from '@trawl/providers';
import { upstreamFailure } from '@trawl/upstream';
import type { Call } from '../interaction/head.ts';
import type { AttemptDependencies, Ending } from './attempt.ts';

export interface CheckLimits {
  readonly call: Call;
  /** When the attempt is over, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Whether its quality is predicted. Default true. */
  readonly wantsQuality: boolean | undefined;
  /** Whether to look for what it hides. Default true. */
  readonly wantsFindings: boolean | undefined;
}

export interface SentPage {
  /** By its slug. */
  readonly provider: string;
  readonly page: ParsedPage;
  /** The URL as requested. */
  readonly url: string;
}

/**
 * Whether a vendor's answer is really the page. Its text is read on another thread. A page that
 * could not be checked is a failed attempt, so the chain moves on: its text may be a wall.
 */
export async function checkPage(
  { provider, page, url }: SentPage,
  { call, endsAt, wantsQuality, wantsFindings }: CheckLimits,
  { clock, pageCheck, pageReadTimeoutMs }: AttemptDependencies,
): Promise<Ending> {
  const { signal, deadlineAt } = call;
  const now = clock.now();
  // the page is paid, so it gets its full time even if the vendor answered late
  const timeoutMs = Math.min(Math.max(endsAt - now, pageReadTimeoutMs), deadlineAt - now);
  const diagnosis = await pageCheck.check(page, url, {
    callerId: callerIdOf(call),
    signal,
    timeoutMs: Math.max(0, timeoutMs),
    wantsQuality,
    wantsFindings,
  });
  switch (diagnosis.kind) {
    case 'diagnosed': {
      const { text, ...judged } = diagnosis;
      return {
        ...judged,
        page: text === undefined ? page : { ...page, content: text },
        kind: 'page',
      };
    }
    case 'cancelled': {
      const happened = 'sent the page, but the request was stopped before its text was checked';
      return { kind: 'failed', failure: upstreamFailure(provider, 'cancelled', happened) };
    }
    case 'fault': {
      const { code, happened } = diagnosis;
      const failure = upstreamFailure(provider, code, happened, { retryable: true });
      return { kind: 'failed', failure };
    }
  }
}
