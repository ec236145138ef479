import { jsonText } from '@trawl/base';
import type { AlertTest, SentAlerts } from '@trawl/contract/console';
import { RequestError, readStore } from '@trawl/router';
import { type ServerParts, sendTestAlert, sentAlert, webhookOf } from '@trawl/server';
import type { ConsoleHandlers } from '../serving/handler.ts';

const SHOWN = 100;

/** The alerts of the deployment, for operators. */
export function alertRoutes({
  config,
  store: { alerts },
  clock,
}: Pick<ServerParts, 'config' | 'store' | 'clock'>): Pick<
  ConsoleHandlers,
  'listAlerts' | 'testAlerts'
> {
  const isSet = webhookOf(config) !== undefined;
  return {
    listAlerts: async () => {
      const found = await readStore(() => alerts.latest(SHOWN));
      return { text: jsonText<SentAlerts>({ is_set: isSet, alerts: found.map(sentAlert) }) };
    },
    testAlerts: async () => {
      if (!isSet) {
        throw new RequestError(
          404,
          'No webhook is set: set ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET, then start the server again',
        );
      }
      const { tries, problem } = await sendTestAlert(config, clock, alerts);
      return { text: jsonText<AlertTest>({ ok: problem === null, tries, problem }) };
    },
  };
}
