import { jsonText } from '@trawl/base';
import type { Fetch, Idempotency } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { executionReply } from './execution.ts';

/** POST /v1/fetch. */
export function fetchRoutes(fetch: Fetch, idempotency: Idempotency): Pick<Handlers, 'fetch'> {
  return {
    fetch: async ({ body, query }, context) => {
      if (query.dry_run) return { text: jsonText(await fetch.price(body, callerOf(context))) };
      return executionReply({ route: 'fetch', body }, context, idempotency, (caller) =>
        fetch.run(body, caller),
      );
    },
  };
}
