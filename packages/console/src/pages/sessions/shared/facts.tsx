import type { ConsoleSessionRow } from '@trawl/contract/console';
import type { InteractionStatus, RunStatus } from '@trawl/contract/vocabulary';
import type { ReactNode } from 'react';
import { Status, type Tone } from '../../../parts/badge.tsx';
import { Money } from '../../../parts/value.tsx';
import styles from './shared.module.css';

/** Names and values, such as the header of a session. */
export const Facts = ({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface CostProps {
  readonly cost: {
    readonly cost_micros: number | null;
    readonly calls: number;
    readonly unpriced_calls: number;
  };
}

/** What calls cost. Calls whose price is not known are counted next to it. */
export function Cost({
  cost: { cost_micros: micros, calls, unpriced_calls: unpriced },
}: CostProps) {
  if (calls === 0) return <span className="soft">no calls</span>;
  return (
    <span className="number">
      <Money micros={micros} />
      {unpriced > 0 && micros !== null && (
        <span className="soft" title={`The cost of ${unpriced} of ${calls} calls is not known`}>
          {' '}
          +{unpriced} unpriced
        </span>
      )}
    </span>
  );
}

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
