import type { ReactNode } from 'react';
import { classNames } from '../parts/class-names.ts';
import icon from '../styles/icon.svg';
import { usePageHeading } from './page.tsx';
import styles from './plain-page.module.css';

interface PlainPageProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly isWide?: boolean;
  readonly children?: ReactNode;
}

/** A page without the rail: sign-in, set-up, an invitation, or something that is missing. */
export function PlainPage({ title, description, isWide = false, children }: PlainPageProps) {
  const heading = usePageHeading(title);
  return (
    <main id="content" tabIndex={-1} className={styles.page}>
      <p className={styles.mark}>
        <img src={icon} alt="" width={22} height={22} /> trawl
      </p>
      <div className={classNames(styles.card, isWide && styles.wide)}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description && <p className="soft">{description}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
