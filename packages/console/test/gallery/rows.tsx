import { useState } from 'react';
import { IconButton } from '../../src/parts/button.tsx';
import { Peek } from '../../src/parts/peek.tsx';
import { Table } from '../../src/parts/table.tsx';
import { Money, Time } from '../../src/parts/value.tsx';
import { VirtualList } from '../../src/parts/virtual-list.tsx';
import type { Sort } from '../../src/url-state/url-state.ts';

interface Row {
  readonly id: string;
  readonly cost: number | null;
}

const ROWS: readonly Row[] = ['a', 'b', 'c', 'd'].map((letter, index) => ({
  id: `session-${letter}`,
  cost: index === 2 ? null : index * 0.001234,
}));
const LONG = Array.from({ length: 10_000 }, (_, index) => `row ${index}`);

export function Rows() {
  const [sort, setSort] = useState<Sort>({ key: 'cost', isDescending: true });
  const [openId, setOpenId] = useState<string | null>(null);
  const at = ROWS.findIndex(({ id }) => id === openId);
  const go = (step: number) => {
    const next = ROWS[at + step];
    return next && (() => setOpenId(next.id));
  };
  return (
    <>
      <Table
        caption="Sessions"
        rows={ROWS}
        rowKey={({ id }) => id}
        sort={sort}
        onSort={setSort}
        rowHref={({ id }) => `#${id}`}
        onOpen={({ id }) => setOpenId(id)}
        openKey={openId}
        columns={[
          { key: 'id', title: 'Session', cell: ({ id }) => id },
          { key: 'started', title: 'Started', cell: () => <Time at="2026-11-22T12:00:00.000Z" /> },
          {
            key: 'cost',
            title: 'Cost',
            align: 'right',
            isSortable: true,
            cell: ({ cost }) => <Money usd={cost} />,
          },
          {
            key: 'actions',
            title: 'Actions',
            isTitleHidden: true,
            cell: ({ id }) => <IconButton icon="more" label={`Actions of ${id}`} size="small" />,
          },
        ]}
      />
      <VirtualList
        label="A long list"
        items={LONG}
        itemKey={(item) => item}
        renderItem={(item) => (
          <div data-long style={{ height: 32 }}>
            {item}
          </div>
        )}
        height="240px"
      />
      {openId !== null && (
        <Peek
          title={openId}
          href={`#${openId}`}
          onClose={() => setOpenId(null)}
          onNext={go(1)}
          onPrevious={go(-1)}
        >
          Details of {openId}
        </Peek>
      )}
    </>
  );
}
