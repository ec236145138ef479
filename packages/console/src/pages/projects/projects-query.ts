import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => call('GET /console/api/projects', { signal }),
});
