import { jsonText } from '@trawl/base';
import type { Fetch, Idempotency } from '@trawl/router';
import { profileOf, withFetchProfile } from '../auth/key-profile.ts';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { executionReply } from './execution.ts';

/** POST /v1/fetch. */
export function fetchRoutes(fetch: Fetch, idempotency: Idempotency): Pick<Handlers, 'fetch'> {
  return {
    fetch: async ({ body, query }, context) => {
      const request = withFetchProfile(body, profileOf(context.caller));
      if (query.dry_run) return { text: jsonText(await fetch.price(request, callerOf(context))) };
      return executionReply({ route: 'fetch', body }, context, idempotency, (caller) =>
        fetch.run(request, caller),
      );
    },
  };
}
