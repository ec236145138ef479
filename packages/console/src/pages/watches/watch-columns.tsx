import type { Watch } from '@trawl/contract';
import type { ReactNode } from 'react';
import { Status } from '../../parts/badge.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time, Whole } from '../../parts/value.tsx';
import { everyText, lastRun, titleOf } from './watch-query.ts';

/** @param actions the menu of a row */
export const watchColumns = (actions: (watch: Watch) => ReactNode): readonly Column<Watch>[] => [
  {
    key: 'title',
    title: 'Watch',
    isLong: true,
    cell: (watch) => <span dir="auto">{titleOf(watch)}</span>,
  },
  { key: 'state', title: 'State', cell: (watch) => <WatchState value={watch} /> },
  {
    key: 'last',
    title: 'Last run',
    cell: (watch) => <LastRun value={watch} />,
  },
  {
    key: 'news',
    title: 'News',
    align: 'right',
    cell: ({ news_count: count }) => <Whole value={count} />,
  },
  {
    key: 'next',
    title: 'Next run',
    isExtra: true,
    cell: ({ next_run_at: at }) => <Time at={at} none="none" />,
  },
  { key: 'actions', title: 'Actions', isTitleHidden: true, cell: actions },
];

interface WatchProps {
  readonly value: Watch;
}

/** Whether it runs, and how often. */
export const WatchState = ({ value: watch }: WatchProps) => (
  <>
    <Status tone={watch.state === 'active' ? 'good' : 'neutral'}>{watch.state}</Status>
    <div className="soft">
      {watch.stop_reason === null
        ? everyText(watch.interval_minutes)
        : `its key is ${watch.stop_reason}`}
    </div>
  </>
);

export function LastRun({ value: watch }: WatchProps) {
  const end = lastRun(watch);
  if (!end) return <span className="soft">none yet</span>;
  return (
    <>
      <Status tone={end.tone}>{end.label}</Status>
      <div className="soft">
        <Time at={watch.last_run_at} />
      </div>
    </>
  );
}
