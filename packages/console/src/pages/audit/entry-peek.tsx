import type { AuditEntry } from '@trawl/contract/console';
import type { ReactNode } from 'react';
import { Status } from '../../parts/badge.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyableId } from '../../parts/copy-button.tsx';
import { Peek } from '../../parts/peek.tsx';
import { NotReported, Time } from '../../parts/value.tsx';
import { actionText, actorText, targetText } from './action-texts.ts';
import styles from './audit.module.css';

interface EntryPeekProps {
  readonly entries: readonly AuditEntry[];
  /** Id of the entry. */
  readonly id: string;
  readonly onShow: (id: string | null) => void;
}

/** One entry in the side panel, with everything that was recorded. */
export function EntryPeek({ entries, id, onShow }: EntryPeekProps) {
  const at = entries.findIndex((entry) => entry.id === id);
  const entry = entries[at];
  const goTo = (index: number) => {
    const other = at < 0 ? undefined : entries[index];
    return other && (() => onShow(other.id));
  };
  return (
    <Peek
      title={entry ? `${actorText(entry)} ${actionText(entry)}` : 'Entry'}
      onClose={() => onShow(null)}
      onNext={goTo(at + 1)}
      onPrevious={goTo(at - 1)}
    >
      {entry ? <Entry entry={entry} /> : <p>This entry is not on this page of the list.</p>}
    </Peek>
  );
}

function Entry({ entry }: { readonly entry: AuditEntry }) {
  const { actor, outcome, reason, ip, user_agent: agent, request_id: request } = entry;
  return (
    <div className="stack">
      <dl className={styles.facts}>
        <Fact name="Time">
          <Time at={entry.created_at} isAbsolute />
        </Fact>
        <Fact name="Who">{actorText(entry)}</Fact>
        <Fact name="E-mail">{actor.email}</Fact>
        <Fact name="On">{targetText(entry)}</Fact>
        <Fact name="Outcome">
          <Status tone={outcome === 'refused' ? 'warn' : 'good'}>{outcome}</Status>
        </Fact>
        {reason !== null && <Fact name="Why">{reason}</Fact>}
        <Fact name="Address">{ip}</Fact>
        <Fact name="Program">{agent}</Fact>
        <Fact name="Request">
          {request !== null && <CopyableId id={request} what="request id" />}
        </Fact>
      </dl>
      <CodeBlock label="The entry as JSON" code={JSON.stringify(entry, null, 2)} />
    </div>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children || <NotReported />}</dd>
  </>
);
