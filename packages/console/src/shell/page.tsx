import { Link, useMatch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { MenuButton } from './drawer.tsx';
import styles from './page.module.css';

export interface Crumb {
  readonly label: ReactNode;
  /** Below `/console`. */
  readonly to: string;
}

export interface PageProps {
  /** The heading, and the title of the window. */
  readonly title: string;
  /** One sentence about the page. */
  readonly description?: ReactNode;
  /** The pages above this one. */
  readonly crumbs?: readonly Crumb[];
  /** The id of what the page shows, to copy. */
  readonly id?: { readonly value: string; readonly what: string };
  /** Buttons on the right of the top bar. */
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

/** The top bar and the content of every page behind the sign-in. */
export function Page({ title, description, crumbs = [], id, actions, children }: PageProps) {
  const heading = usePageHeading(title);
  return (
    <>
      <header className={styles.bar}>
        <MenuButton />
        <nav aria-label="Breadcrumb" className="grow">
          <ol className={styles.crumbs}>
            {crumbs.map(({ label, to }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
                <Icon name="chevron-right" size={12} />
              </li>
            ))}
            <li aria-current="page">
              <span className="cut">{title}</span>
              {id && <CopyButton text={id.value} label={`Copy the ${id.what}`} />}
            </li>
          </ol>
        </nav>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <main id="content" tabIndex={-1} className={styles.content}>
        <div className={styles.heading}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {description && <p className="soft">{description}</p>}
        </div>
        {children}
      </main>
    </>
  );
}

let lastPath: string | undefined;

/**
 * Sets the title of the window, and moves the focus to the heading when another page is shown; not
 * at the first one.
 */
export function usePageHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  // of this page: while the next one is loaded, the address is the next one's already
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  useEffect(() => {
    document.title = `${title} · trawl`;
  }, [title]);
  useEffect(() => {
    if (lastPath !== undefined && lastPath !== pathname) {
      heading.current?.focus({ preventScroll: true });
    }
    lastPath = pathname;
  }, [pathname]);
  return heading;
}
