import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Watch } from '@trawl/contract';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { Peek } from '../../parts/peek.tsx';
import { EmptyState, Region } from '../../parts/region.tsx';
import { Time } from '../../parts/value.tsx';
import { interactionPath, sessionPath } from '../../records/paths.ts';
import { LastRun, WatchState } from './watch-columns.tsx';
import { newsQuery, titleOf } from './watch-query.ts';
import styles from './watches.module.css';

interface WatchPeekProps {
  readonly project: string;
  readonly watches: readonly Watch[];
  /** Of the watch that is shown. */
  readonly id: string;
  readonly onShow: (id: string | null) => void;
}

/** One watch in the side panel, with what it found that is new. */
export function WatchPeek({ project, watches, id, onShow }: WatchPeekProps) {
  const at = watches.findIndex((watch) => watch.id === id);
  const watch = watches[at];
  const goTo = (index: number) => {
    const other = at < 0 ? undefined : watches[index];
    return other && (() => onShow(other.id));
  };
  return (
    <Peek
      title={watch ? titleOf(watch) : 'Watch'}
      onClose={() => onShow(null)}
      onNext={goTo(at + 1)}
      onPrevious={goTo(at - 1)}
    >
      {watch ? (
        <WatchDetail key={id} project={project} watch={watch} />
      ) : (
        <p>This watch does not exist any more.</p>
      )}
    </Peek>
  );
}

function WatchDetail({ project, watch }: { readonly project: string; readonly watch: Watch }) {
  const news = useQuery(newsQuery(project, watch));
  return (
    <div className="stack">
      <Facts
        of={[
          ['State', <WatchState key="state" value={watch} />],
          ['Last run', <LastRun key="last" value={watch} />],
          ['Next run', <Time key="next" at={watch.next_run_at} none="none" />],
          [
            'Records',
            watch.last_run_at === null ? (
              'none yet'
            ) : (
              <Link key="session" to={sessionPath(project, watch.session_id)}>
                its session
              </Link>
            ),
          ],
        ]}
      />
      {watch.last_error && <Note tone="warn">{watch.last_error.message}</Note>}
      <h3>News</h3>
      <Region
        query={news}
        what="The news"
        isEmpty={(items) => items.length === 0}
        empty={<EmptyState icon="live" text={nothingNew(watch)} />}
      >
        {(items) => (
          <ul className={styles.news}>
            {items.map((item) => (
              <li key={item.sequence}>
                <ExternalLink href={item.url}>{item.title ?? item.url}</ExternalLink>
                <div className="soft">
                  <Time at={item.first_seen_at} />
                  {item.provider !== null && `, ${item.provider}`},{' '}
                  <Link to={interactionPath(project, watch.session_id, item.interaction_id)}>
                    the run
                  </Link>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Region>
    </div>
  );
}

const nothingNew = ({ last_run_at: at }: Watch): string =>
  at === null
    ? 'It has not run yet. Its first run is what later ones are compared with.'
    : 'Nothing new since its first run.';
