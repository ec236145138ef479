import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, call } from './call.ts';

/** What the page of a signed-out person needs to know. */
export type SignInState = AnswerOf<'GET /console/api/state'>;

export const stateQuery = queryOptions({
  queryKey: ['state'],
  queryFn: ({ signal }) => call('GET /console/api/state', { signal }),
  staleTime: 60_000,
});
