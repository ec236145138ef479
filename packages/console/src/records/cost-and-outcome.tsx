import type { ConsoleSessionRow } from '@trawl/contract/console';
import type { InteractionOutcome, RunStatus } from '@trawl/contract/vocabulary';
import { Status, type Tone } from '../parts/badge.tsx';
import { Money } from '../parts/value.tsx';
import styles from './records.module.css';

interface CostProps {
  readonly cost: SpentOn;
  /** How the providers that were tried ended. */
  readonly ends: readonly RunStatus[];
}

/** What calls cost. Calls whose price is not known are counted next to it. */
export function Cost({ cost, ends }: CostProps) {
  const word = costWord(cost, ends);
  if (word !== null) return <span className="soft">{word}</span>;
  const { cost_usd: usd, calls, unpriced_calls: unpriced } = cost;
  return (
    <span className="number">
      <Money usd={usd} />
      {unpriced > 0 && usd !== null && (
        <span className="soft" title={`The cost of ${unpriced} of ${calls} calls is not known`}>
          {' '}
          +{unpriced} unpriced
        </span>
      )}
    </span>
  );
}

interface SpentOn {
  readonly cost_usd: number | null;
  readonly calls: number;
  readonly unpriced_calls: number;
}

/**
 * What is said instead of a price where nothing was paid; null where something was, or may be.
 * @param ends how the providers that were tried ended: one that is not counted as a call, such as
 * a page from the cache or of the server's own reader, answered all the same
 */
export function costWord(
  { cost_usd: usd, calls, unpriced_calls }: SpentOn,
  ends: readonly RunStatus[],
) {
  if (unpriced_calls > 0 || (usd ?? 0) > 0) return null;
  if (ends.includes('succeeded')) return 'free';
  if (ends.length === 0) return 'no calls';
  return calls === 0 ? 'not reached' : 'no answer';
}

const WORDS: Readonly<Record<InteractionOutcome | RunStatus, readonly [string, Tone]>> = {
  succeeded: ['Succeeded', 'good'],
  partial: ['Partly', 'warn'],
  failed: ['Failed', 'bad'],
};

/** How an interaction or a run ended. */
export function Outcome({ of }: { readonly of: InteractionOutcome | RunStatus }) {
  const [word, tone] = WORDS[of];
  return <Status tone={tone}>{word}</Status>;
}

const PARTS = [
  ['succeeded', 'succeeded', 'good'],
  ['partial', 'in part', 'warn'],
  ['failed', 'failed', 'bad'],
] as const;

type Outcomes = ConsoleSessionRow['outcomes'];

const shownParts = (outcomes: Outcomes) => PARTS.filter(([outcome]) => outcomes[outcome] > 0);

/** How many interactions of a session ended well: `3 succeeded, 1 failed`. */
export const outcomeWords = (outcomes: Outcomes): string =>
  shownParts(outcomes)
    .map(([outcome, word]) => `${outcomes[outcome]} ${word}`)
    .join(', ');

/** The same as a bar. */
export function OutcomeBar({ outcomes }: { readonly outcomes: Outcomes }) {
  const words = outcomeWords(outcomes);
  return (
    <span className={styles.bar} role="img" aria-label={words} title={words}>
      {shownParts(outcomes).map(([outcome, , tone]) => (
        <span key={outcome} className={styles[tone]} style={{ flexGrow: outcomes[outcome] }} />
      ))}
    </span>
  );
}

/** How each provider of a session ended: well, if any of its runs did. */
export const endsOf = ({ providers }: Pick<ConsoleSessionRow, 'providers'>): readonly RunStatus[] =>
  providers.map(({ runs, failed }) => (failed < runs ? 'succeeded' : 'failed'));
