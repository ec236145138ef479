import { type Fetch, withFetchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { type ExecutionSources, executing } from './execution.ts';

/** POST /v1/fetch. */
export const fetchRoutes = (fetch: Fetch, sources: ExecutionSources): Pick<Handlers, 'fetch'> => ({
  fetch: executing('fetch', fetch, sources, withFetchProfile),
});
