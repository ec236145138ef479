import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** Where the person is signed in. */
export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: ({ signal }) => call('GET /console/api/account/sign-ins', { signal }),
});
