import { jsonText } from '@trawl/base';
import { type Deployment, type Search, usableProfile, withSearchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { callerOf } from './caller.ts';
import { type ExecutionParts, executionReply } from './execution.ts';

/** Options without a field in POST /v1/search. */
const NO_NAMES = {
  user_id: undefined,
  preprocessor_names: undefined,
  postprocessor_names: undefined,
};

/** POST /v1/search, and POST /v1/interactions, which is the same with more fields. */
export function searchRoutes(
  search: Search,
  parts: ExecutionParts,
  deployment: Deployment,
): Pick<Handlers, 'search' | 'createInteraction'> {
  return {
    search: async ({ body, query }, context) => {
      const { profile, notes } = usableProfile(context.caller, deployment);
      const request = withSearchProfile(Object.assign({}, body, NO_NAMES), profile);
      if (query.dry_run)
        return { text: jsonText(await search.price(request, { notes, ...callerOf(context) })) };
      return executionReply({ route: 'search', body }, context, parts, (caller) =>
        search.run(request, { notes, ...caller }),
      );
    },
    createInteraction: async ({ body, query }, context) => {
      const { profile, notes } = usableProfile(context.caller, deployment);
      const request = withSearchProfile(body, profile);
      if (query.dry_run)
        return { text: jsonText(await search.price(request, { notes, ...callerOf(context) })) };
      return executionReply({ route: 'createInteraction', body }, context, parts, (caller) =>
        search.run(request, { notes, ...caller }),
      );
    },
  };
}
