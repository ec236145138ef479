import { ROUTES } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import { describe, expect, it } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { type Answer, answerOf, BARE_KEY, KEY, pathOf, testApp } from './app.ts';

const rateLimited = async () => {
  throw new RequestError(429, 'Too many requests');
};

/** A request with a fault for every check; each step fixes the one that was reported. */
interface Ask {
  path: string;
  method: string;
  authorization?: string;
  rateLimit?: boolean;
  type: string;
  body: string;
}

async function ask({ path, method, authorization, rateLimit, type, body }: Ask): Promise<Answer> {
  const { app } = testApp(rateLimit ? { rateLimit: rateLimited } : {});
  const headers = { 'content-type': type, ...(authorization && { authorization }) };
  return answerOf(app.request(path, { method, headers, body }));
}

const HUGE = `{"x":"${'x'.repeat(1_048_576)}"`;

describe.each(['/v1/search', '/v1/fetch', '/v1/interactions'])(
  '%s checks in this order',
  (path) => {
    const steps: [status: number, ask: Ask][] = [];
    const request: Ask = {
      path: `${path}/`,
      method: 'PUT',
      rateLimit: true,
      type: 'text/plain',
      body: HUGE,
    };
    const step = (status: number, fix: Partial<Ask>) => {
      Object.assign(request, fix);
      steps.push([status, { ...request }]);
    };
    step(404, {});
    step(405, { path });
    step(401, { method: 'POST' });
    step(401, { authorization: 'Bearer unknown' });
    step(403, { authorization: `Bearer ${BARE_KEY}` });
    step(429, { authorization: `Bearer ${KEY}` });
    step(415, { rateLimit: false });
    step(413, { type: 'application/json' });
    step(422, { body: '{"x":' });
    step(422, { body: '{"urls":5,"user_input":5}' });
    step(200, { body: '{"urls":["x"],"user_input":{"query":"q"}}' });

    it.each(steps)('%i', async (status, asked) => {
      const answer = await ask(asked);
      expect(answer.status).toBe(status);
      if (status === 200) return;
      const isTyped = path === '/v1/fetch';
      expect(answer.body).toHaveProperty(isTyped ? 'error.code' : 'detail');
    });
  },
);

describe('keys', () => {
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

  it('are refused with the two texts of the contract', async () => {
    const { app } = testApp();
    const missing = await answerOf(app.request('/v1/sessions'));
    expect(withoutHints(missing.body)).toEqual({ detail: 'Missing API key' });
    const invalid = await answerOf(
      app.request('/v1/sessions', { headers: { authorization: 'Bearer unknown' } }),
    );
    expect(withoutHints(invalid.body)).toEqual({ detail: 'Invalid API key' });
    for (const answer of [missing, invalid]) {
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*Authorization: Bearer </);
    }
  });

  it('are refused on fetch with both error and detail', async () => {
    const { app } = testApp();
    const missing = await answerOf(app.request('/v1/fetch', { method: 'POST' }));
    expect(withoutHints(missing.body)).toEqual({
      error: { code: 'unauthorized', message: 'Missing API key' },
      detail: 'Missing API key',
    });
    const bare = await answerOf(
      app.request('/v1/fetch', {
        method: 'POST',
        headers: { authorization: `Bearer ${BARE_KEY}` },
      }),
    );
    expect(bare.status).toBe(403);
    expect(bare.body.error.code).toBe('forbidden');
    expect(bare.body.detail).toBe(bare.body.error.message);
    expect(bare.body.detail).toMatch(/^This API key may not execute fetches/);
  });
});
