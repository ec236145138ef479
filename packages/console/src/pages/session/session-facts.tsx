import type { ConsoleSessionRow } from '@trawl/contract/console';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { counted } from '../../parts/number-text.ts';
import { Duration, Time } from '../../parts/value.tsx';
import { Cost, endsOf, OutcomeBar, outcomeWords } from '../../records/cost-and-outcome.tsx';
import { shortId } from '../../records/paths.ts';

/** The head of a session. Figures are of the whole session. */
export function SessionFacts({ row }: { readonly row: ConsoleSessionRow }) {
  const { outcomes } = row;
  return (
    <Facts
      of={[
        [
          'Id',
          <span key="id" className="row">
            <code>{shortId(row.id)}</code>
            <CopyButton text={row.id} label="Copy the session id" />
          </span>,
        ],
        ['Started', <Time key="started" at={row.created_at} />],
        ['Last activity', <Time key="active" at={row.latest_interaction_at} />],
        ['Duration', <Duration key="duration" ms={row.duration_ms} />],
        [
          counted(row.interaction_count, 'interaction'),
          <span key="outcomes" className="row">
            <OutcomeBar outcomes={outcomes} />
            {outcomeWords(outcomes)}
          </span>,
        ],
        ['Cost', <Cost key="cost" cost={row} ends={endsOf(row)} />],
        ['Providers', row.providers.map(({ name }) => name).join(', ') || 'none'],
        ['Keys', row.keys.map(({ name, id }) => name ?? `deleted key ${shortId(id)}`).join(', ')],
        [
          row.user_count === 1 ? 'User' : 'Users',
          row.user_count === 0
            ? 'none'
            : `${row.user_ids.join(', ')}${row.user_count > row.user_ids.length ? ` and ${row.user_count - row.user_ids.length} more` : ''}`,
        ],
      ]}
    />
  );
}
