import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './section.module.css';

interface SectionProps {
  readonly title: string;
  /** One sentence below the title. */
  readonly description?: ReactNode;
  /** On the right of the title. */
  readonly actions?: ReactNode;
  /** For forms: fields are not as wide as the page. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, description, actions, isNarrow = false, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classNames(styles.section, isNarrow && styles.narrow)}>
      <div className="spread">
        <div>
          <h2 id={id}>{title}</h2>
          {description && <p className="soft">{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
