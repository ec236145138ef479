import type { Clock } from '@trawl/base';
import type { AlertEnd, AlertLog } from '@trawl/store';
import type { Config } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { type Alert, bodyOf } from './alerts.ts';
import { webhookOf } from './open-alerts.ts';
import { postSigned } from './webhook.ts';

/**
 * Posts an alert that shows whether the webhook works.
 * @param alertLog where it is noted, if it can be; undefined = there is no database yet
 * @throws Error when no webhook is set
 */
export async function sendTestAlert(
  config: Config,
  clock: Clock,
  alertLog: Pick<AlertLog, 'claim' | 'end'> | undefined,
): Promise<AlertEnd> {
  const webhook = webhookOf(config);
  if (!webhook) {
    const { alertWebhookUrl: url, alertWebhookSecret: secret } = SETTINGS;
    throw new Error(`no webhook is set: set ${url.name} and ${secret.name}`);
  }
  const id = clock.newId();
  const alert: Alert = {
    type: 'test',
    subject: `test ${id}`,
    message: 'This is a test of the alerts of trawl.',
    data: {},
  };
  // the webhook is what is tested, also while the database fails
  await alertLog?.claim({ id, ...alert }, clock.now()).catch(() => {});
  const { signal } = new AbortController();
  const body = bodyOf(alert, { id, at: clock.now(), publicUrl: config.publicUrl });
  const end = await postSigned(webhook, body, { signal, now: clock.now });
  await alertLog?.end(id, end).catch(() => {});
  return end;
}
