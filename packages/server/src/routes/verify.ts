import { type Clock, callerIdOf, jsonText, objectParts } from '@trawl/base';
import type { VerifyResponse } from '@trawl/contract';
import type { QuoteFinder } from '@trawl/reader';
import { type InteractionReader, type LongReads, sessionPages, verifyQuotes } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';

export interface VerifySources {
  readonly reader: InteractionReader;
  readonly reads: LongReads;
  readonly finder: QuoteFinder;
  readonly clock: Clock;
}

/** POST /v1/verify looks for quotes in what a session recorded. */
export function verifyRoutes({
  reader,
  reads,
  finder,
  clock,
}: VerifySources): Pick<Handlers, 'verify'> {
  return {
    verify: ({ body }, context) => {
      const caller = callerOf(context);
      const { projectId, signal, deadlineAt } = caller;
      const place = { projectId, sessionId: body.session_id };
      return reads.run(caller, async (onStep) => {
        const pages = await sessionPages(reader, place, { runs: true, onRead: onStep });
        const limits = () => ({
          callerId: callerIdOf(caller),
          signal,
          timeoutMs: Math.max(1, deadlineAt - clock.now()),
        });
        const found = await verifyQuotes(body, pages, finder, { limits, onStep });
        return objectParts<VerifyResponse>({
          session_id: jsonText(found.session_id),
          quotes: jsonText(found.quotes),
          interactions: jsonText(found.interactions),
          texts: jsonText(found.texts),
          deleted_interactions: jsonText(found.deleted_interactions),
        });
      });
    },
  };
}
