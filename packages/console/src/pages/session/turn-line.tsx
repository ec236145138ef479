import { Link } from '@tanstack/react-router';
import type { ConsoleTurn } from '@trawl/contract/console';
import { Badge } from '../../parts/badge.tsx';
import { Duration, Time } from '../../parts/value.tsx';
import { Cost, Outcome } from '../../records/cost-and-outcome.tsx';
import { failureSentence } from '../../records/failures.tsx';
import { interactionPath } from '../../records/paths.ts';
import styles from './session.module.css';

interface TurnLineProps {
  readonly project: string;
  readonly session: string;
  readonly turn: ConsoleTurn;
}

/** One interaction of a session: what was asked, who answered, and why something failed. */
export function TurnLine({ project, session, turn }: TurnLineProps) {
  const failed = turn.runs.filter(({ outcome }) => outcome === 'failed');
  return (
    <article className={styles.turn}>
      <div className={styles.turnHead}>
        <Link className="cut" dir="auto" to={interactionPath(project, session, turn.id)}>
          {turn.goal ?? turn.input ?? 'Without a query'}
        </Link>
        <Outcome of={turn.outcome} />
      </div>
      <p className={`soft ${styles.turnFacts}`}>
        <Time at={turn.created_at} />
        <Badge>{inputsOf(turn)}</Badge>
        <Duration ms={Date.parse(turn.completed_at) - Date.parse(turn.created_at)} />
        <Cost cost={turn} ends={turn.runs.map(({ outcome }) => outcome)} />
        <span>{[...new Set(turn.runs.map(({ provider }) => provider))].join(', ')}</span>
      </p>
      {turn.goal !== null && turn.input !== null && (
        <p className="cut" dir="auto">
          {turn.input}
        </p>
      )}
      {failed.length > 0 && (
        <ul className={styles.failures}>
          {failed.slice(0, 3).map(({ provider, error_code: code }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a provider may fail twice
            <li key={index} className="cut">
              <strong>{provider}</strong>{' '}
              {code === null
                ? 'The reason was not recorded.'
                : failureSentence(code, turn.kind === 'fetch' ? 'page' : 'run')}
            </li>
          ))}
          {failed.length > 3 && <li className="soft">and {failed.length - 3} more</li>}
        </ul>
      )}
    </article>
  );
}

function inputsOf({ kind, input_count: count }: ConsoleTurn): string {
  if (count === null) return kind;
  if (kind === 'fetch') return count === 1 ? 'fetch of 1 page' : `fetch of ${count} pages`;
  return count > 1 ? `search of ${count} queries` : 'search';
}
