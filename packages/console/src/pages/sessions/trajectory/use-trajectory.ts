import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { callApi } from '../../../api/call.ts';
import { joinPages } from './tree.ts';

/** Interactions that are read at once. */
const PAGE = 100;
/** More are read when the person asks for them. */
const NODES_MAX = 10_000;

/** The tree of a session, read page after page. */
export function useTrajectory(project: string, session: string) {
  const query = useInfiniteQuery({
    queryKey: [project, 'trajectory', session],
    queryFn: ({ pageParam, signal }) =>
      callApi(project, 'GET /v1/sessions/{session_id}/trajectory', {
        params: { session_id: session },
        query: { limit: PAGE, after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_after }) => next_after,
    staleTime: 60_000,
  });
  const tree = useMemo(
    () => joinPages(query.data?.pages.map(({ trajectory }) => trajectory) ?? []),
    [query.data],
  );
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const isFull = tree.nodes.length >= NODES_MAX;
  useEffect(() => {
    if (hasNextPage && !isFull && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFull, isFetchingNextPage, isError, fetchNextPage]);
  return { query, tree, isFull };
}
