import { createHmac } from 'node:crypto';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, it } from 'vitest';
import { postSigned, SIGNATURE_HEADER, signatureOf } from '../../src/alerts/webhook.ts';

const SECRET = 'a-secret-of-the-webhook';
const BODY = '{"id":"1"}';
// nine tenths of a second have passed: the second has not
const NOW = 1_700_000_000_900;

/** How a body was posted to a hook that answers with these statuses. */
async function posted(...statuses: number[]) {
  const times: number[] = [];
  const hook = await serveHttp((response) => {
    sendJson(response, {}, statuses[times.length] ?? 200);
    times.push(performance.now());
  });
  const end = await postSigned({ url: hook.url, secret: SECRET }, BODY, {
    signal: new AbortController().signal,
    now: () => NOW,
    timing: { tryMs: 5_000, pausesMs: [10, 150] },
  });
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { end, pauses, received: hook.received };
}

it('a body is signed with the second of its sending, in whole seconds that have passed', async () => {
  const { end, received } = await posted(200);
  expect(end).toEqual({ tries: 1, problem: null });
  const digest = createHmac('sha256', SECRET).update(`1700000000.${BODY}`).digest('hex');
  expect(received[0]?.headers[SIGNATURE_HEADER]).toBe(`t=1700000000,v1=${digest}`);
  expect(received[0]?.body).toBe(BODY);
  expect(signatureOf(BODY, SECRET, 1)).not.toBe(signatureOf(BODY, SECRET, 2));
  expect(signatureOf(BODY, 'other', 1)).not.toBe(signatureOf(BODY, SECRET, 1));
});

it('is posted again after each pause, three times at most, until one is accepted', async () => {
  expect((await posted(500, 204)).end).toEqual({ tries: 2, problem: null });
  const third = await posted(500, 503, 200);
  expect(third.end).toEqual({ tries: 3, problem: null });
  expect(third.pauses[1]).toBeGreaterThan(140);
  const never = await posted(500, 500, 404, 200);
  expect([never.end, never.received.length]).toEqual([{ tries: 3, problem: 'HTTP 404' }, 3]);
});
