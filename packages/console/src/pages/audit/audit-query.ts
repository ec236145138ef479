import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { type AuditState, filtersOf } from './audit-state.ts';

/** One page of entries. */
export const auditQuery = (project: string, state: AuditState) => {
  const query = { ...filtersOf(state), before: state.before ?? undefined };
  return queryOptions({
    queryKey: ['audit', state.scope === 'project' ? project : null, query],
    queryFn: ({ signal }) =>
      state.scope === 'project'
        ? call('GET /console/api/projects/{project_id}/audit', {
            params: { project_id: project },
            query,
            signal,
          })
        : call('GET /console/api/audit', { query, signal }),
    placeholderData: keepPreviousData,
  });
};
