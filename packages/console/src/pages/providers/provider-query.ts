import { queryOptions } from '@tanstack/react-query';
import { addressOf } from '@trawl/client/http';
import { type AnswerOf, call } from '../../api/call.ts';
import { type Range, spanOf } from '../../figures/range.ts';

const PATH = '/console/api/projects/{project_id}/providers';

export type ProviderStatus = AnswerOf<`GET ${typeof PATH}`>['providers'][number];

/** Circuits close and open within seconds. */
const REFRESH_MS = 15_000;

export const providersQuery = (project: string, range: Range) =>
  queryOptions({
    queryKey: ['providers', project, range],
    queryFn: ({ signal }) =>
      call(`GET ${PATH}`, { params: { project_id: project }, query: spanOf(range), signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: (previous) => previous,
  });

export const providersAddress = (project: string, range: Range): string =>
  addressOf(PATH, { project_id: project }, spanOf(range));

export const keyOf = ({ slug, operation }: ProviderStatus): string => `${slug}:${operation}`;
