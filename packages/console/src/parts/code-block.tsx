import styles from './copy.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly code: string;
  /** What it is: «The same search by curl». */
  readonly label: string;
}

/** Text to copy, such as a command. It scrolls in its own frame. */
export const CodeBlock = ({ code, label }: CodeBlockProps) => (
  <div className={styles.code}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the focus */}
    <section tabIndex={0} aria-label={label}>
      <pre>
        <code>{code}</code>
      </pre>
    </section>
    <div>
      <CopyButton text={code} label={`Copy: ${label}`} />
    </div>
  </div>
);
