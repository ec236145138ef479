import { Icon } from '../../parts/icon.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import type { ProviderStatus } from './provider-query.ts';

type Supply = ProviderStatus['supply'][number];

interface Row {
  readonly field: string;
  /** By provider. */
  readonly cells: ReadonlyMap<string, Supply>;
}

/** Which provider supplies which field, and from which tier on. */
export function SupplyTable({ providers }: { readonly providers: readonly ProviderStatus[] }) {
  const rows = (providers[0]?.supply ?? []).map(
    ({ field }): Row => ({
      field,
      cells: new Map(
        providers.flatMap(({ slug, supply }) => {
          const found = supply.find((one) => one.field === field);
          return found ? [[slug, found]] : [];
        }),
      ),
    }),
  );
  return (
    <div className="stack-tight">
      <p className="soft">
        <Icon name="check" size={12} /> in every tier that includes the field. A tier: from that one
        on. “option”: only where the request asks for it. “never”: at no tier or option. The panel
        of a provider has the reasons.
      </p>
      <Table
        caption="Fields by provider"
        isMatrix
        rows={rows}
        rowKey={({ field }) => field}
        columns={[
          { key: 'field', title: 'Field', cell: ({ field }) => <code>{field}</code> },
          ...providers.map(
            ({ slug }): Column<Row> => ({
              key: slug,
              title: slug,
              cell: ({ cells }) => <SupplyCell supply={cells.get(slug)} />,
            }),
          ),
        ]}
      />
    </div>
  );
}

function SupplyCell({ supply }: { readonly supply: Supply | undefined }) {
  if (supply === undefined) return null;
  const word = supplyWord(supply);
  if (word === 'always') {
    return (
      <>
        <Icon name="check" size={14} />
        <span className="visually-hidden">always</span>
      </>
    );
  }
  return (
    <span
      className={supply.kind === 'never' ? 'soft' : undefined}
      title={supply.reason ?? undefined}
    >
      {word}
    </span>
  );
}

/** One word for a cell: `always`, a tier, `option`, `never` or `failed pages`. */
export function supplyWord({ kind, tiers }: Supply): string {
  if (kind === 'always' || kind === 'never') return kind;
  if (kind === 'failed_pages') return 'failed pages';
  return tiers[0] ?? 'option';
}
