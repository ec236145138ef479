import { causeOf, type Outage, type OutageLog } from '@trawl/base';
import { CallerLeftError, RequestError } from '@trawl/router';
import type { HttpExchange } from '../exchange.ts';

/**
 * Logs why a request was answered 5xx. Failures of one cause share their lines; the stack is logged
 * once.
 */
export function reportFailure(
  error: unknown,
  { requestId, route }: Pick<HttpExchange, 'requestId' | 'route'>,
  outages: OutageLog,
): void {
  // no failure: only a stream that has begun gets here with it
  if (error instanceof CallerLeftError) return;
  const fields = { request_id: requestId, route };
  outages.report({ ...outageOf(error, route), fields });
}

function outageOf(error: unknown, route: string | null): Outage {
  if (!(error instanceof RequestError)) {
    const cause = `500 ${route} ${causeOf(error)} ${placeOf(error)}`;
    return { cause, message: 'a request failed unexpectedly', level: 'error', error };
  }
  if (error.status === 502) {
    // the caller's providers failed, not this server: no stack would help
    return { cause: '502 provider_unavailable', message: 'no pinned provider could be reached' };
  }
  const message = 'a request could not be served';
  return error.cause === undefined
    ? { cause: `${error.status} ${withoutNumbers(error.message)}`, message }
    : { cause: `${error.status} ${causeOf(error)}`, message, error };
}

/** The line of our code that threw, which distinguishes two faults of one kind. */
const placeOf = (error: unknown): string =>
  (error instanceof Error && /^ {4}at .*$/m.exec(error.stack ?? '')?.[0].trim()) || 'unknown place';

const withoutNumbers = (text: string): string => text.replace(/\d+/g, 'N');
