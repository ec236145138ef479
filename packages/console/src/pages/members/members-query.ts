import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const membersQuery = (project: string) =>
  queryOptions({
    queryKey: ['members', project],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/members', {
        params: { project_id: project },
        signal,
      }),
  });
