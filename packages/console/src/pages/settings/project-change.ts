import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ProjectEntry } from '@trawl/contract/console';
import { call } from '../../api/call.ts';
import { sessionQuery } from '../../api/session.ts';
import { toast } from '../../parts/toast.tsx';

export interface ProjectChange {
  readonly name?: string;
  /** null = no limit. */
  readonly rate_limit?: number | null;
  readonly monthly_budget_usd?: number | null;
  /** null = none. */
  readonly web_rules?: ProjectEntry['web_rules'];
  readonly mcp_login?: ProjectEntry['mcp_login'];
  readonly mcp_login_budget_usd?: number;
}

/** Changes a project, then what pages show of it. */
export function useProjectChange(project: string, done: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProjectChange) =>
      call('PATCH /console/api/projects/{project_id}', { params: { project_id: project }, body }),
    onSuccess: async () => {
      toast({ text: done });
      await Promise.all([
        client.invalidateQueries({ queryKey: ['projects'] }),
        client.invalidateQueries(sessionQuery),
      ]);
    },
  });
}

export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}', { params: { project_id: project }, signal }),
  });
