import { Link } from '@tanstack/react-router';
import type { InteractionDetails } from '@trawl/contract';
import type { ConsoleTurn } from '@trawl/contract/console';
import { useMemo, useState } from 'react';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { EmptyState, Region } from '../../../parts/region.tsx';
import { Time } from '../../../parts/value.tsx';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { Cost } from '../shared/facts.tsx';
import { useTurns } from '../shared/turns-query.ts';
import { diffPath, isSearch } from '../shared/words.ts';
import styles from './interaction.module.css';

interface CompareProps {
  readonly project: string;
  readonly session: string;
  readonly interaction: InteractionDetails;
}

/** Chooses another search of the session to compare this one with. */
export function Compare(props: CompareProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isSearch(props.interaction)) return null;
  return (
    <>
      <Button icon="sort" onClick={() => setOpen(true)}>
        Compare with…
      </Button>
      <Dialog
        title="Compare with"
        description="Another search of this session: those of the same request come first."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        isWide
      >
        <Others {...props} />
      </Dialog>
    </>
  );
}

const ROW_HEIGHT = 60;

function Others({ project, session, interaction }: CompareProps) {
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
          height="50vh"
          renderItem={(other) => (
            // biome-ignore lint/a11y/useSemanticElements: the list is a frame that scrolls
            <div role="listitem" className={styles.other}>
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
