import { queryOptions } from '@tanstack/react-query';
import type { ConsoleKey } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { areaPath } from '../../shell/navigation.ts';

const REFRESH_MS = 30_000;

/** The keys of a project, with everything that the list draws. */
export const keysQuery = (project: string) =>
  queryOptions({
    queryKey: [project, 'keys'],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/keys', {
        params: { project_id: project },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });

export const keyQuery = (project: string, id: string) =>
  queryOptions({
    queryKey: [project, 'keys', id],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/keys/{key_id}', {
        params: { project_id: project, key_id: id },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });

/** Below `/console`. */
export const keyPath = (project: string, id: string): string =>
  `${areaPath(project, 'keys')}/${id}`;

/** Whether it can still be used. */
export const isAlive = ({ status: { code } }: ConsoleKey): boolean =>
  code !== 'revoked' && code !== 'expired';
