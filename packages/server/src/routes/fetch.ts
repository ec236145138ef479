import { jsonText } from '@trawl/base';
import { type Deployment, type Fetch, usableProfile, withFetchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { type ExecutionParts, executionReply } from './execution.ts';

/** POST /v1/fetch. */
export function fetchRoutes(
  fetch: Fetch,
  parts: ExecutionParts,
  deployment: Deployment,
): Pick<Handlers, 'fetch'> {
  return {
    fetch: async ({ body, query }, context) => {
      const { profile, notes } = usableProfile(context.caller, deployment);
      const request = withFetchProfile(body, profile);
      if (query.dry_run)
        return { text: jsonText(await fetch.price(request, { notes, ...callerOf(context) })) };
      return executionReply({ route: 'fetch', body }, context, parts, (caller) =>
        fetch.run(request, { notes, ...caller }),
      );
    },
  };
}
