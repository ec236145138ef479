import type { ConsoleSessionRow } from '@trawl/contract/console';
import type { InteractionStatus, RunStatus } from '@trawl/contract/vocabulary';
import { Status, type Tone } from '../../../parts/badge.tsx';
import styles from './shared.module.css';

const WORDS: Readonly<Record<InteractionStatus | RunStatus, readonly [string, Tone]>> = {
  succeeded: ['Succeeded', 'good'],
  partially_succeeded: ['Partly', 'warn'],
  failed: ['Failed', 'bad'],
};

/** How an interaction or a run ended. */
export function Outcome({ status }: { readonly status: InteractionStatus | RunStatus }) {
  const [word, tone] = WORDS[status];
  return <Status tone={tone}>{word}</Status>;
}

const PARTS = [
  ['succeeded', 'succeeded', 'good'],
  ['partially_succeeded', 'in part', 'warn'],
  ['failed', 'failed', 'bad'],
] as const;

/** How many interactions of a session ended well, as a bar and in words. */
export function StatusBar({ statuses }: { readonly statuses: ConsoleSessionRow['statuses'] }) {
  const shown = PARTS.filter(([status]) => statuses[status] > 0);
  const words = shown.map(([status, word]) => `${statuses[status]} ${word}`).join(', ');
  return (
    <span className={styles.bar} role="img" aria-label={words} title={words}>
      {shown.map(([status, , tone]) => (
        <span key={status} className={styles[tone]} style={{ flexGrow: statuses[status] }} />
      ))}
    </span>
  );
}
