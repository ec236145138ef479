import { type Search, withSearchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { type ExecutionSources, executing } from './execution.ts';

/** Options without a field in POST /v1/search. */
const NO_NAMES = {
  user_id: undefined,
  preprocessor_names: undefined,
  postprocessor_names: undefined,
};

/** POST /v1/search, and POST /v1/interactions, which is the same with more fields. */
export const searchRoutes = (
  search: Search,
  sources: ExecutionSources,
): Pick<Handlers, 'search' | 'createInteraction'> => ({
  search: executing('search', search, sources, (body, profile) =>
    withSearchProfile(Object.assign({}, body, NO_NAMES), profile),
  ),
  createInteraction: executing('createInteraction', search, sources, withSearchProfile),
});
