import { useMutation } from '@tanstack/react-query';
import type { DryRun, Watch } from '@trawl/contract';
import { useState } from 'react';
import { callApi } from '../../api/call.ts';
import { describeError } from '../../api/error.ts';
import { IconButton } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Menu } from '../../parts/menu.tsx';
import { toast } from '../../parts/toast.tsx';
import { plannedPrice } from '../../requests/planned.ts';
import { titleOf, useRefresh } from './watch-query.ts';

const RUN = 'POST /v1/watches/{watch_id}/run';

interface WatchActionsProps {
  readonly project: string;
  readonly value: Watch;
}

/** What can be done with a watch: run it now, the price first, pause or resume it, delete it. */
export function WatchActions({ project, value: watch }: WatchActionsProps) {
  const refresh = useRefresh(project);
  const [price, setPrice] = useState<{ readonly plan: DryRun; readonly repeat: string }>();
  const [isDeleting, setDeleting] = useState(false);
  const params = { watch_id: watch.id };
  const title = titleOf(watch);
  const onError = (error: unknown) =>
    toast({ text: `${title}: ${describeError(error).detail}`, tone: 'bad' });
  const plan = useMutation({
    mutationFn: () => callApi(project, RUN, { params, query: { dry_run: true } }),
    onSuccess: (answer) => {
      if ('dry_run' in answer) setPrice({ plan: answer, repeat: crypto.randomUUID() });
    },
    onError,
  });
  const set = useMutation({
    mutationFn: async (state: 'active' | 'paused') => {
      await callApi(project, 'PATCH /v1/watches/{watch_id}', { params, body: { state } });
      await refresh();
    },
    onError,
  });
  const run = async () => {
    await callApi(project, RUN, { params, idempotencyKey: price?.repeat });
    await refresh();
    toast({ text: `${title} has run.` });
  };
  const remove = async () => {
    await callApi(project, 'DELETE /v1/watches/{watch_id}', { params });
    await refresh();
  };
  const isActive = watch.state === 'active';
  return (
    <>
      <Menu
        trigger={<IconButton icon="more" size="small" label={`Actions on the watch ${title}`} />}
        items={[
          {
            label: 'Run now',
            icon: 'play',
            isDisabled: watch.state === 'stopped',
            onSelect: () => plan.mutate(),
          },
          isActive
            ? { label: 'Pause', icon: 'stop', onSelect: () => set.mutate('paused') }
            : {
                label: 'Resume',
                icon: 'refresh',
                isDisabled: watch.state === 'stopped',
                onSelect: () => set.mutate('active'),
              },
          'separator',
          { label: 'Delete', icon: 'trash', isDanger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      <ConfirmDialog
        isOpen={price !== undefined}
        title={`Run ${title} now?`}
        effect={`It makes ${price ? plannedPrice(price.plan) : ''}, under the key of the watch. The next run stays when it is due.`}
        confirmLabel="Run now"
        onConfirm={run}
        onClose={() => setPrice(undefined)}
      />
      <ConfirmDialog
        isOpen={isDeleting}
        isDanger
        title={`Delete the watch ${title}?`}
        effect="It runs no more, and its news are deleted. What its runs recorded stays in its session. This cannot be undone."
        confirmLabel="Delete watch"
        onConfirm={remove}
        onClose={() => setDeleting(false)}
      />
    </>
  );
}
