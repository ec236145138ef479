import { ROW_ADVICE, WARNING_ADVICE } from '@trawl/contract/advice';
import { ROW_ERRORS, RUN_ERRORS, WARNINGS } from '@trawl/contract/catalogue';
import { Icon } from '../../../parts/icon.tsx';
import styles from './shared.module.css';

/** Why a run or a page failed, and what to do, in one sentence. */
export function failureSentence(code: string): string {
  const advice = ROW_ADVICE[code as keyof typeof ROW_ADVICE];
  if (advice !== undefined) {
    return `${ROW_ERRORS[code as keyof typeof ROW_ERRORS].replace(/\.$/, '')}: ${lowered(advice)}`;
  }
  const known = RUN_ERRORS[code as keyof typeof RUN_ERRORS];
  if (known === undefined) return `It failed with ${code}: report it with the request id.`;
  return `${code.replaceAll('_', ' ')}: ${known.remedy}.`.replace(/^./, (letter) =>
    letter.toUpperCase(),
  );
}

/** What a warning means, and what to do. */
export function warningSentence(code: string): string {
  const meaning = WARNINGS[code as keyof typeof WARNINGS];
  const advice = WARNING_ADVICE[code as keyof typeof WARNING_ADVICE];
  return meaning === undefined ? code : `${meaning} ${advice}`;
}

const lowered = (text: string): string => text.replace(/^./, (letter) => letter.toLowerCase());

/** A failure as the record has it, with the advice of the catalogue where the record has none. */
export const Failure = ({
  code,
  message,
}: {
  readonly code: string;
  readonly message?: string;
}) => (
  <p className={styles.why}>
    <Icon name="close" />
    <span dir="auto">
      <strong>{code}</strong> {message ? `${message} ` : ''}
      {(message === undefined || code in ROW_ADVICE) && failureSentence(code)}
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
            <strong>{code}</strong> {warningSentence(code)}
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
