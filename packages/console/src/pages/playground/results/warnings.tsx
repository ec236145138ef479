import type { Warning } from '@trawl/contract';
import { ROW_ADVICE } from '@trawl/contract/advice';
import { ROW_ERRORS, RUN_ERRORS } from '@trawl/contract/catalogue';
import { meaningOfWarning } from '../../../figures/warning-meaning.ts';
import { Badge } from '../../../parts/badge.tsx';
import styles from './results.module.css';

/** Warnings in words: what each kind means, and what happened here. */
export function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return (
    <details className={styles.warnings}>
      <summary>
        <Badge tone="warn" icon="alert">
          {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
        </Badge>
      </summary>
      {codes.map((code) => (
        <div key={code}>
          <p>
            <b className="mono">{code}</b> {meaningOfWarning(code)}
          </p>
          <ul>
            {warnings
              .filter((warning) => warning.code === code)
              .map(({ message }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: messages may be equal
                <li key={index}>{message}</li>
              ))}
          </ul>
        </div>
      ))}
    </details>
  );
}

/**
 * What to do about a failed run, in a sentence. Undefined for a code that this page does not know.
 */
export const remedyOf = (code: string): string | undefined =>
  Object.hasOwn(RUN_ERRORS, code)
    ? `To do: ${RUN_ERRORS[code as keyof typeof RUN_ERRORS].remedy}.`
    : undefined;

/** The same for a page that was not read. */
export const pageRemedyOf = (code: string): string | undefined =>
  Object.hasOwn(ROW_ERRORS, code)
    ? `${ROW_ERRORS[code as keyof typeof ROW_ERRORS]} ${ROW_ADVICE[code as keyof typeof ROW_ERRORS]}`
    : remedyOf(code);
