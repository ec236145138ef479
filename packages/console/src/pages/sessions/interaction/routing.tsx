import type { InteractionDetails } from '@trawl/contract';
import { meaningOfWarning } from '../../../figures/warning-meaning.ts';
import styles from './interaction.module.css';

interface RoutingProps {
  readonly interaction: InteractionDetails;
}

/** Why these providers ran. */
export function Routing({ interaction: { routing, user_input: input } }: RoutingProps) {
  if (routing === null) return null;
  const queries: readonly unknown[] = Array.isArray(input?.queries) ? input.queries : [];
  return (
    <section className="card stack-tight" aria-label="Routing">
      <h2>Routing</h2>
      <p className="soft">
        The service chose the providers by the topic of each query. Scores are for comparison only.
      </p>
      <ol className={styles.results}>
        {routing.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one entry for each query, in order
          <li key={index}>
            {queries.length > 1 && <span className="soft">Query {index + 1}: </span>}
            <strong>{entry.topic ?? 'no topic'}</strong>
            {entry.topic === null && ` ${meaningOfWarning('routing_unavailable')}`}
            {typeof entry.score === 'number' && ` (score ${entry.score.toFixed(2)})`}:{' '}
            {entry.providers.join(', ')}
          </li>
        ))}
      </ol>
    </section>
  );
}
