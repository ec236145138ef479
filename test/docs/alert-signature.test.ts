import { systemClock } from '@trawl/base';
import { readConfig, sendTestAlert } from '@trawl/server';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { allBlocks } from './blocks.ts';

const SECRET = 'a-secret-of-the-webhook';

/** The function of docs/operations.md. */
async function ofTheDocs(): Promise<(...texts: readonly string[]) => boolean> {
  const block = allBlocks().find(
    ({ page, text }) => page === 'docs/operations.md' && text.includes('isFromTrawl'),
  );
  const { code } = await esbuild.transform(block?.text ?? '', { loader: 'ts', format: 'esm' });
  const made = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return made.isFromTrawl;
}

test('the example of the docs accepts the signature of an alert, and no other', async () => {
  const isFromTrawl = await ofTheDocs();
  const hook = await serveHttp((response) => sendJson(response, {}));
  const config = readConfig({ ALERT_WEBHOOK_URL: hook.url, ALERT_WEBHOOK_SECRET: SECRET });
  expect(await sendTestAlert(config, systemClock, undefined)).toEqual({ tries: 1, problem: null });
  const [request] = hook.received;
  const body = request?.body ?? '';
  const signature = String(request?.headers['x-trawl-signature']);
  expect(isFromTrawl(signature, body, SECRET)).toBe(true);
  expect(isFromTrawl(signature, body, `${SECRET}.`)).toBe(false);
  expect(isFromTrawl(signature, `${body} `, SECRET)).toBe(false);
  const later = signature.replace(/\d+/, (seconds) => String(Number(seconds) + 1));
  expect(isFromTrawl(later, body, SECRET)).toBe(false);
  expect(isFromTrawl('', body, SECRET)).toBe(false);
  const old = { ...systemClock, now: () => Date.now() - 600_000 };
  await sendTestAlert(config, old, undefined);
  const again = hook.received[1];
  const past = String(again?.headers['x-trawl-signature']);
  expect(isFromTrawl(past, again?.body ?? '', SECRET)).toBe(false);
});
