import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** Some figures next to each other, each with its name and a remark. */
export const Tiles = ({ children }: { readonly children: ReactNode }) => (
  <dl className={styles.tiles}>{children}</dl>
);

interface TileProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly remark?: ReactNode;
}

export const Tile = ({ name, value, remark }: TileProps) => (
  <div className={styles.tile}>
    <dt>{name}</dt>
    <dd className={styles.value}>{value}</dd>
    {remark && <dd className={styles.remark}>{remark}</dd>}
  </div>
);

interface MeterProps {
  /** What it measures, for screen readers. */
  readonly label: string;
  /** From 0; more than 1 is over. */
  readonly share: number;
}

/** A bar that fills up. Never the only place of its figure. */
export const Meter = ({ label, share }: MeterProps) => (
  <meter
    className={styles.meter}
    aria-label={label}
    min={0}
    max={1}
    low={0.8}
    high={1}
    optimum={0}
    value={Math.min(1, share)}
  />
);

/** A heading with its actions over a region. */
export const SectionHead = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}) => (
  <div className="spread">
    <h2>{title}</h2>
    <div className="row">{children}</div>
  </div>
);
