import { classNames } from '../../parts/class-names.ts';
import { Icon } from '../../parts/icon.tsx';
import { Money } from '../../parts/value.tsx';
import styles from './budget.module.css';

interface BudgetProps {
  /** Known costs of this month. */
  readonly spentUsd: number;
  readonly budgetUsd: number | null;
}

/** What was spent this month, of what may be spent. The texts say what the bar shows. */
export function Budget({ spentUsd, budgetUsd }: BudgetProps) {
  const spent = <Money usd={spentUsd} />;
  if (budgetUsd === null) {
    return (
      <>
        {spent} <span className="soft">· no budget</span>
      </>
    );
  }
  const isOver = spentUsd >= budgetUsd;
  const share = budgetUsd === 0 ? 1 : Math.min(1, spentUsd / budgetUsd);
  return (
    <span className={styles.budget}>
      <span>
        {isOver && <Icon name="alert" size={14} />} {spent} of <Money usd={budgetUsd} />
        {isOver && ': used up'}
      </span>
      <span className={classNames(styles.bar, isOver && styles.over)} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
