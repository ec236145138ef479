import { ROW_ADVICE } from '@trawl/contract/advice';
import { ROW_ERRORS, RUN_ERRORS, STEP_CODES } from '@trawl/contract/catalogue';
import { Icon } from '../parts/icon.tsx';
import styles from './records.module.css';
import { meaningOfWarning } from './warning-meaning.ts';

/** What failed: some codes are known of both, and mean something else. */
export type FailedThing = 'run' | 'page';

/** Why a run or a page failed, and what to do, in one sentence. */
export function failureSentence(code: string, of: FailedThing): string {
  const run = RUN_ERRORS[code as keyof typeof RUN_ERRORS];
  const step = STEP_CODES[code as keyof typeof STEP_CODES];
  if (step !== undefined) return step;
  const page = ROW_ERRORS[code as keyof typeof ROW_ERRORS];
  if (page !== undefined && (of === 'page' || run === undefined)) {
    const advice = ROW_ADVICE[code as keyof typeof ROW_ADVICE];
    return `${page.replace(/\.$/, '')}: ${lowered(advice)}`;
  }
  if (run === undefined) return `It failed with ${code}: report it with the request id.`;
  return `${raised(code.replaceAll('_', ' '))}: ${run.remedy}.`;
}

const lowered = (text: string): string => text.replace(/^./, (letter) => letter.toLowerCase());
const raised = (text: string): string => text.replace(/^./, (letter) => letter.toUpperCase());

interface FailureProps {
  readonly code: string;
  readonly of: FailedThing;
  /** As the record has it. That of a run says what to do; that of a page does not. */
  readonly message?: string;
}

/** Why something failed, and what to do. */
export const Failure = ({ code, of, message }: FailureProps) => (
  <p className={styles.why}>
    <Icon name="close" />
    <span dir="auto">
      <strong>{code}</strong> {message !== undefined && `${message} `}
      {(message === undefined || of === 'page') && failureSentence(code, of)}
    </span>
  </p>
);

interface WarningsProps {
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Warnings by code: what each one means, then what was adjusted. */
export function Warnings({ warnings }: WarningsProps) {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return (
    <ul className="stack-tight" style={{ listStyle: 'none' }}>
      {codes.map((code) => (
        <li key={code} className={styles.why}>
          <Icon name="alert" />
          <div>
            <strong>{code}</strong> {meaningOfWarning(code)}
            <ul>
              {warnings
                .filter((warning) => warning.code === code)
                .map(({ message }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal
                  <li key={index} className="soft" dir="auto">
                    {message}
                  </li>
                ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  );
}
