import { ROUTES } from '@trawl/contract';
import { expect, it } from 'vitest';
import { answerOf, BARE_KEY, pathOf, testApp } from './app.ts';

it.each(Object.entries(ROUTES))('%s needs the permission in its row', async (id, route) => {
  const { app } = testApp();
  const send = (authorization?: string) =>
    answerOf(
      app.request(pathOf(id as keyof typeof ROUTES), {
        method: route.method,
        headers: authorization === undefined ? {} : { authorization },
      }),
    );
  if (route.permission === null) {
    expect((await send()).status).toBe(200);
    expect((await send('Bearer unknown')).status).toBe(200);
    return;
  }
  expect((await send()).status).toBe(401);
  const refused = await send(`Bearer ${BARE_KEY}`);
  expect(refused.status).toBe(403);
  expect(refused.body.detail).toContain(`"${route.permission}"`);
});
