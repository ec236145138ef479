import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values, such as the header of a session. */
export const Facts = ({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) => (
  <dl className={styles.facts}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
