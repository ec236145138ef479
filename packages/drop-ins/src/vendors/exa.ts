/** https://exa.ai/docs/reference/search and /get-contents */
import type { DropIn, DropInAnswer, DropInFault } from '../declaration/declaration.ts';
import { refusedRoute } from '../declaration/declaration.ts';
import { exaContents } from './exa-contents.ts';
import { exaSearch } from './exa-search.ts';

const TAGS: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST_BODY',
  401: 'INVALID_API_KEY',
  402: 'API_KEY_BUDGET_EXCEEDED',
  422: 'INVALID_REQUEST_BODY',
};

/** Exa reports faults of a body as 400. Its rate limit has a message only. */
const fault = ({ status, message, requestId }: DropInFault): DropInAnswer => ({
  status: status === 422 ? 400 : status,
  body:
    status === 429
      ? { error: message }
      : {
          requestId,
          error: message,
          tag: TAGS[status] ?? (status < 500 ? 'INVALID_REQUEST' : 'DEFAULT_ERROR'),
        },
});

export const exaDropIn: DropIn = {
  slug: 'exa',
  name: 'Exa',
  keys: [{ in: 'header', name: 'x-api-key' }, { in: 'bearer' }],
  routes: [
    exaSearch,
    exaContents,
    refusedRoute(
      '/findSimilar',
      'findSimilar is not served by trawl, and is deprecated at Exa: send the topic of the page to /search',
    ),
  ],
  fault,
};
