import type { Warning } from '@trawl/contract';
import { ROW_ADVICE } from '@trawl/contract/advice';
import { Badge } from '../../parts/badge.tsx';
import { meaningOfWarning } from '../../records/warning-meaning.ts';
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
 * What to do about a page that was not read, in a sentence: its message says what happened only.
 * That of a run says both. Undefined for a code that this page does not know.
 */
export const pageRemedyOf = (code: string): string | undefined =>
  Object.hasOwn(ROW_ADVICE, code) ? ROW_ADVICE[code as keyof typeof ROW_ADVICE] : undefined;
