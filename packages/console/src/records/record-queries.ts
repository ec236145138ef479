import { queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
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

/** All interactions of a session in order; they are read page after page. */
export function useTurns(project: string, session: string, isEnabled = true) {
  const query = useInfiniteQuery({
    queryKey: [project, 'turns', session],
    queryFn: ({ pageParam, signal }) =>
      call('GET /console/api/projects/{project_id}/sessions/{session_id}/turns', {
        params: { project_id: project, session_id: session },
        query: { after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after }) => next_after ?? undefined,
    enabled: isEnabled,
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (isEnabled && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [isEnabled, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const turns = useMemo(() => query.data?.pages.flatMap((page) => page.turns) ?? [], [query.data]);
  return { query, turns };
}
