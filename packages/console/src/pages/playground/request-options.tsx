import { LIMITS } from '@trawl/contract/limits';
import { type ReactNode, useState } from 'react';
import { TextField } from '../../parts/field.tsx';
import type { PlannedRequest } from '../../requests/planned.ts';
import { optionsSet, withMembers } from './draft.ts';
import { faultAt, isPlaced } from './faults.ts';
import styles from './form.module.css';
import { JsonField } from './json-field.tsx';
import type { ProviderChoice } from './provider-choices.ts';

/** What a field reads and changes. */
export interface RequestFields {
  readonly request: PlannedRequest;
  /** Of the latest dry run or run. */
  readonly error: unknown;
  readonly onChange: (request: PlannedRequest) => void;
  readonly onUnreadable: (field: string, isUnreadable: boolean) => void;
}

export interface PlaygroundFormProps extends RequestFields {
  readonly choices: readonly ProviderChoice[];
  /** The price and the buttons, below what is asked. */
  readonly runBar: ReactNode;
}

interface OptionsProps extends Pick<RequestFields, 'request' | 'error'> {
  readonly children: ReactNode;
}

/** Members of a request whose fields are in here. */
const PLACES = ['search', 'options', 'user_id', 'session_id', 'metadata', 'postprocessor_names'];

/** What most requests leave as it is, with how many options this one sets. */
export function Options({ request, error, children }: OptionsProps) {
  const count = optionsSet(request);
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.more}
      // what is wrong with an option is shown at its field
      open={isOpen || isPlaced(error, PLACES)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{count === 0 ? 'Options' : `Options (${count} set)`}</summary>
      <div className="stack">{children}</div>
    </details>
  );
}

/** Options that searches and fetches share. */
export function CommonOptions({ request, error, onChange, onUnreadable }: RequestFields) {
  const { body, mode } = request;
  const setText = (name: string) => (event: { readonly target: HTMLInputElement }) =>
    onChange(withMembers(request, { [name]: event.target.value || undefined }));
  return (
    <>
      {mode === 'search' && (
        <TextField
          label="User id"
          isOptional
          hint="A label for the user, kept with the request and in usage."
          autoComplete="off"
          maxLength={LIMITS.userIdCharacters}
          value={typeof body.user_id === 'string' ? body.user_id : ''}
          error={faultAt(error, 'user_id')}
          onChange={setText('user_id')}
        />
      )}
      <TextField
        label="Session id"
        isOptional
        hint="Records it in this session; a new one without it."
        autoComplete="off"
        spellCheck={false}
        value={typeof body.session_id === 'string' ? body.session_id : ''}
        error={faultAt(error, 'session_id')}
        onChange={setText('session_id')}
      />
      <JsonField
        label="Metadata"
        hint="Kept with the interaction and read back."
        placeholder='{"task": "weekly report"}'
        value={body.metadata}
        fault={faultAt(error, 'metadata')}
        onChange={(metadata) => onChange(withMembers(request, { metadata }))}
        onUnreadable={(isUnreadable) => onUnreadable('Metadata', isUnreadable)}
      />
    </>
  );
}
