import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import type { ConsoleTurn } from '@trawl/contract/console';
import { useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Time } from '../../parts/value.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { Cost } from '../../records/cost-and-outcome.tsx';
import { diffPath, shortId } from '../../records/paths.ts';
import { useTurns } from '../../records/record-queries.ts';
import styles from './interaction.module.css';

interface CompareProps {
  readonly project: string;
  readonly session: string;
  readonly interaction: InteractionDetails;
  readonly onClose: () => void;
}

/** Chooses another search of the project to compare this one with. */
export function Compare({ session, onClose, ...props }: CompareProps) {
  const [chosen, setChosen] = useState(session);
  return (
    <Dialog
      title="Compare with"
      description="Another search of this session, those of the same request first; or of any other session."
      isOpen
      onClose={onClose}
      isWide
    >
      <OtherSessions {...props} chosen={chosen} onChoose={setChosen} />
      <Others key={chosen} {...props} session={chosen} />
    </Dialog>
  );
}

interface OtherSessionsProps extends Pick<CompareProps, 'project'> {
  readonly chosen: string;
  readonly onChoose: (session: string) => void;
}

const SESSIONS_SHOWN = 6;

/** The sessions of the project whose queries or ids have a text. */
function OtherSessions({ project, chosen, onChoose }: OtherSessionsProps) {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const query = useQuery({
    queryKey: [project, 'sessions to compare', wanted],
    queryFn: ({ signal }) =>
      call('GET /console/api/projects/{project_id}/sessions', {
        params: { project_id: project },
        query: { text: wanted },
        signal,
      }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack-tight">
      <TextField
        label="Find a session"
        isOptional
        hint="A part of a query, or the id of a session or an interaction."
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {wanted !== '' && (
        <Region
          query={query}
          what="The sessions"
          isEmpty={({ sessions }) => sessions.length === 0}
          empty={<p className="soft">No session has this.</p>}
        >
          {({ sessions }) => (
            <div className="row">
              {sessions.slice(0, SESSIONS_SHOWN).map(({ id, input }) => (
                <Button
                  key={id}
                  size="small"
                  aria-pressed={id === chosen}
                  onClick={() => onChoose(id)}
                >
                  <span className="cut">{input ?? 'Without a query'}</span> {shortId(id)}
                </Button>
              ))}
            </div>
          )}
        </Region>
      )}
    </div>
  );
}

const ROW_HEIGHT = 60;

function Others({ project, session, interaction }: Omit<CompareProps, 'onClose'>) {
  const { query, turns } = useTurns(project, session);
  const others = useMemo(() => comparable(turns, interaction), [turns, interaction]);
  return (
    <Region
      query={query}
      what="The interactions"
      isEmpty={() => others.length === 0 && !query.hasNextPage}
      empty={<EmptyState icon="search" text="This session has no other search." />}
    >
      {() => (
        <VirtualList
          label="Searches to compare with"
          role="list"
          items={others}
          itemKey={({ turn }) => turn.id}
          rowHeight={ROW_HEIGHT}
          height="40vh"
          renderItem={(other) => (
            <div className={styles.other}>
              <Other project={project} session={session} of={interaction} other={other} />
            </div>
          )}
        />
      )}
    </Region>
  );
}

interface Comparable {
  readonly turn: ConsoleTurn;
  /** What it is to the search of the page; null = another one. */
  readonly kind: string | null;
  readonly isLater: boolean;
}

/** Other searches of the session: replays of the same request first, then all in their order. */
function comparable(
  turns: readonly ConsoleTurn[],
  { interaction_id: own, created_at, metadata }: InteractionDetails,
): readonly Comparable[] {
  const replayed = metadata?.replay_of;
  const place = turns.findIndex(({ id }) => id === own);
  const others = turns.flatMap((turn, index): readonly Comparable[] => {
    if (turn.kind !== 'search' || turn.input === null || turn.id === own) return [];
    const [madeAt, ownAt] = [Date.parse(turn.created_at), Date.parse(created_at)];
    // this search may not be among the turns yet
    const isLater = madeAt === ownAt && place >= 0 ? index > place : madeAt > ownAt;
    return [{ turn, kind: kindOf(turn, own, replayed), isLater }];
  });
  return others.toSorted((a, b) => Number(a.kind === null) - Number(b.kind === null));
}

function kindOf({ id, replay_of: of }: ConsoleTurn, own: string, replayed: unknown): string | null {
  if (id === replayed) return 'replayed by it';
  if (of === own) return 'replay of it';
  return of !== null && of === replayed ? 'another replay' : null;
}

interface OtherProps {
  readonly project: string;
  readonly session: string;
  readonly of: InteractionDetails;
  readonly other: Comparable;
}

function Other({ project, session, of, other: { turn, kind, isLater } }: OtherProps) {
  const own = of.interaction_id;
  const [before, after] = isLater ? [own, turn.id] : [turn.id, own];
  return (
    <>
      <Link className="cut" dir="auto" to={diffPath(project, session, before, after)}>
        {turn.input}
      </Link>
      <span className="soft row">
        {kind !== null && <Badge tone="accent">{kind}</Badge>}
        <Time at={turn.created_at} />
        <Cost cost={turn} ends={turn.runs.map(({ outcome }) => outcome)} />
        <span>{[...new Set(turn.runs.map(({ provider }) => provider))].join(', ')}</span>
      </span>
    </>
  );
}
