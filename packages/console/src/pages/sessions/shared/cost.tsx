import { Money } from '../../../parts/value.tsx';

interface CostProps {
  readonly cost: {
    readonly cost_micros: number | null;
    readonly calls: number;
    readonly unpriced_calls: number;
  };
}

/** What calls cost. Calls whose price is not known are counted next to it. */
export function Cost({
  cost: { cost_micros: micros, calls, unpriced_calls: unpriced },
}: CostProps) {
  if (calls === 0) return <span className="soft">no calls</span>;
  return (
    <span className="number">
      <Money micros={micros} />
      {unpriced > 0 && micros !== null && (
        <span className="soft" title={`The cost of ${unpriced} of ${calls} calls is not known`}>
          {' '}
          +{unpriced} unpriced
        </span>
      )}
    </span>
  );
}
