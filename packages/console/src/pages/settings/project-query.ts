import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}', { params: { project_id: project }, signal }),
  });
