import { type ReactNode, useState } from 'react';
import type { PlannedRequest } from '../../requests/planned.ts';
import { optionsSet } from './draft.ts';
import { isPlaced } from './faults.ts';
import styles from './form.module.css';

interface OptionsProps {
  readonly request: PlannedRequest;
  /** Of the latest dry run or run. */
  readonly error: unknown;
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
