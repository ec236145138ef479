import { type Deployment, type Fetch, withFetchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { type ExecutionParts, executing } from './execution.ts';

/** POST /v1/fetch. */
export const fetchRoutes = (
  fetch: Fetch,
  parts: ExecutionParts,
  deployment: Deployment,
): Pick<Handlers, 'fetch'> => ({
  fetch: executing('fetch', fetch, { parts, deployment }, withFetchProfile),
});
