import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { call } from '../../../api/call.ts';
import { Note } from '../../../parts/note.tsx';
import { EmptyState, Region } from '../../../parts/region.tsx';
import { durationText } from '../../../parts/time-text.ts';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { counted } from '../shared/words.ts';
import styles from './session.module.css';
import { TurnLine } from './turn-line.tsx';
import { turnRows } from './turn-rows.ts';

const ROW_HEIGHT = 76;

interface HistoryProps {
  readonly project: string;
  readonly session: string;
  /** As the head of the session counts them. */
  readonly count: number;
}

/** The interactions of a session in order, with long breaks between them. */
export function History({ project, session, count }: HistoryProps) {
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
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const turns = useMemo(() => query.data?.pages.flatMap((page) => page.turns) ?? [], [query.data]);
  const rows = useMemo(() => turnRows(turns), [turns]);
  return (
    <Region
      query={query}
      what="The interactions"
      isEmpty={() => turns.length === 0}
      empty={<EmptyState icon="sessions" text="This session has no interactions any more." />}
    >
      {() => (
        <div className="stack-tight">
          {hasNextPage && (
            <Note>
              Showing the first {turns.length.toLocaleString('en-US')} of{' '}
              {counted(count, 'interaction')}. The others are being read.
            </Note>
          )}
          <VirtualList
            label="Interactions"
            role="list"
            items={rows}
            itemKey={({ key }) => key}
            rowHeight={ROW_HEIGHT}
            height="70vh"
            renderItem={(row) => (
              // biome-ignore lint/a11y/useSemanticElements: the list is a frame that scrolls
              <div role="listitem" className={styles.item}>
                {row.kind === 'turn' ? (
                  <TurnLine project={project} session={session} turn={row.turn} />
                ) : (
                  <p className={styles.gap}>nothing for {durationText(row.ms)}</p>
                )}
              </div>
            )}
          />
        </div>
      )}
    </Region>
  );
}
