import { RequestError } from '@trawl/router';
import type { MetricsText } from '@trawl/server';
import { type MetricsSnapshot, summedText } from '@trawl/telemetry';
import type { PrimaryMessage } from './messages.ts';
import { send } from './worker.ts';

/**
 * The metrics of all workers as one text. Gives the primary those of this process when it asks.
 * @throws RequestError 503 when a worker did not give its own in time: sums without them would be wrong
 */
export const sharedMetricsText: MetricsText = (own) => {
  process.on('message', async ({ type }: PrimaryMessage) => {
    if (type === 'measure') send({ type: 'measured', snapshot: await own() });
  });
  let asking: Promise<readonly MetricsSnapshot[]> | undefined;
  return async () => {
    asking ??= metricsOfAll().finally(() => {
      asking = undefined;
    });
    return summedText(await asking);
  };
};

function metricsOfAll(): Promise<readonly MetricsSnapshot[]> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: PrimaryMessage) => {
      if (message.type !== 'metrics') return;
      process.off('message', onMessage);
      if (message.snapshots) resolve(message.snapshots);
      else reject(new RequestError(503, 'A worker process is too busy to give its metrics.'));
    };
    process.on('message', onMessage);
    send({ type: 'collect' });
  });
}
