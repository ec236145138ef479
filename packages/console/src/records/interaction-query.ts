import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** One interaction as its record has it. */
export const interactionQuery = (project: string, interaction: string) =>
  queryOptions({
    queryKey: [project, 'interaction', interaction],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/interactions/{interaction_id}', {
        params: { project_id: project, interaction_id: interaction },
        signal,
      }),
    // a record does not change
    staleTime: Number.POSITIVE_INFINITY,
  });
