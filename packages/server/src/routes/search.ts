import { type Deployment, type Search, withSearchProfile } from '@trawl/router';
import type { Handlers } from '../http/handler.ts';
import { type ExecutionParts, executing } from './execution.ts';

/** Options without a field in POST /v1/search. */
const NO_NAMES = {
  user_id: undefined,
  preprocessor_names: undefined,
  postprocessor_names: undefined,
};

/** POST /v1/search, and POST /v1/interactions, which is the same with more fields. */
export const searchRoutes = (
  search: Search,
  parts: ExecutionParts,
  deployment: Deployment,
): Pick<Handlers, 'search' | 'createInteraction'> => ({
  search: executing('search', search, { parts, deployment }, (body, profile) =>
    withSearchProfile(Object.assign({}, body, NO_NAMES), profile),
  ),
  createInteraction: executing(
    'createInteraction',
    search,
    { parts, deployment },
    withSearchProfile,
  ),
});
