import { queryOptions } from '@tanstack/react-query';
import { type AnswerOf, call } from '../../api/call.ts';

const BASE = '/console/api/projects/{project_id}/routing';
export const RANKING_PATH = `${BASE}/ranking` as const;
export const REPORT_PATH = `${BASE}/report` as const;

export type Report = AnswerOf<`GET ${typeof REPORT_PATH}`>;
export type ReportTopic = Report['topics'][number];

export const rankingQuery = (project: string) =>
  queryOptions({
    queryKey: ['ranking', project],
    queryFn: ({ signal }) =>
      call(`GET ${RANKING_PATH}`, { params: { project_id: project }, signal }),
    // it changes with a restart of the server
    staleTime: 600_000,
  });

export const reportQuery = (project: string, days: number) =>
  queryOptions({
    queryKey: ['routing-report', project, days],
    queryFn: ({ signal }) =>
      call(`GET ${REPORT_PATH}`, { params: { project_id: project }, query: { days }, signal }),
    placeholderData: (previous) => previous,
  });
