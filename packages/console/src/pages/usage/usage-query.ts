import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, call, callApi } from '../../api/call.ts';

/** What rows are summed by, besides the day. */
export const GROUPS = ['provider', 'key_id', 'user_id', 'key_tail'] as const;
export type Group = (typeof GROUPS)[number];

export type ProjectSpending = AnswerOf<'GET /console/api/projects/{project_id}/spending'>;

interface Wanted {
  /** First and last day, in UTC. */
  readonly from: string;
  readonly to: string;
  readonly group: Group;
}

/** The last characters of a key say little without its provider. */
export const groupBy = (group: Group): string =>
  `day,${group === 'key_tail' ? 'provider,key_tail' : group}`;

/** The call of the API behind the chart and the table. */
export const usagePath = ({ from, to, group }: Wanted): string =>
  `/v1/usage?from=${from}&to=${to}&group_by=${groupBy(group)}`;

export const usageQuery = (project: string, wanted: Wanted) =>
  queryOptions({
    queryKey: ['usage', project, wanted],
    queryFn: async ({ signal }) => {
      const { from, to, group } = wanted;
      const answer = await callApi(project, 'GET /v1/usage', {
        query: { from, to, group_by: groupBy(group) },
        signal,
      });
      return answer.rows;
    },
    placeholderData: (previous) => previous,
  });

export type UsageRow = Awaited<
  ReturnType<NonNullable<ReturnType<typeof usageQuery>['queryFn']>>
>[number];

export const spendingQuery = (project: string) =>
  queryOptions({
    queryKey: ['spending', project],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/spending', {
        params: { project_id: project },
        signal,
      }),
    staleTime: 30_000,
  });

export const projectsUsageQuery = (span: { readonly from: string; readonly to: string }) =>
  queryOptions({
    queryKey: ['projects-usage', span],
    queryFn: ({ signal }) => call('GET /console/api/usage', { query: span, signal }),
    placeholderData: (previous) => previous,
  });
