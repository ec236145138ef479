import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered } from '../support/recorded.ts';

const REPLACED = '\ufffd';

describeOnDatabases('texts that are hard to store', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  async function readBack({ json }: Answer) {
    const path = `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`;
    const answer = await server.call('GET', path);
    return { ...answered('readInteraction', answer), text: answer.text };
  }

  /** Posts a body exactly as written, with its escapes. */
  const postText = (rawBody: string) => server.call('POST', '/v1/search', { rawBody });

  it.each([
    ['emoji', '🛟 harbour 👩‍👩‍👧‍👦 🇳🇴'],
    ['accents, right-to-left and CJK', 'Tromsø наука مرفأ 潮汐發電 ﷽ \u202e'],
    ['quotes, backslashes and lines', `"'\\ \b\f\n\r\t \u2028\u2029 <b>&amp;</b> ; drop table --`],
    ['control characters', '\u0001 \u001f \u007f \u0085 x'],
    ['beyond the first plane and noncharacters', '\u{10ffff} \u{1f600} \ufffe \uffff x'],
    ['percent signs and placeholders', '100% %s $1 ? :name {0} <%= x %>'],
  ])('4.4 %s are read back as sent', async (_name, query) => {
    const metadata = { [query]: [query, { text: query }], trajectory_goal: query };
    const body = { user_input: { query, [query]: query }, metadata };
    const posted = await server.search(body);
    expect(posted.status).toBe(200);
    expect(posted.json.trajectory_goal).toBe(query);
    expect(posted.json.preprocessor_runs[0].query).toBe(query);
    expect(await readBack(posted)).toMatchObject({ ...posted.json, ...body });
  });

  it('4.4 U+0000 becomes U+FFFD on the way in, in texts and keys', async () => {
    const posted = await postText(
      '{"user_input":{"query":"a\\u0000b","k\\u0000":1},"metadata":{"\\u0000":["\\u0000x"],"trajectory_goal":"\\u0000"}}',
    );
    expect(posted.status).toBe(200);
    const query = `a${REPLACED}b`;
    expect(posted.json.preprocessor_runs[0].query).toBe(query);
    expect(posted.json.trajectory_goal).toBe(REPLACED);
    expect(await readBack(posted)).toMatchObject({
      ...posted.json,
      user_input: { query, [`k${REPLACED}`]: 1 },
      metadata: { [REPLACED]: [`${REPLACED}x`], trajectory_goal: REPLACED },
    });
  });

  it('4.4 lone surrogates become U+FFFD on the way in, complete pairs stay', async () => {
    const posted = await postText(
      '{"user_input":{"query":"\\ud83d x \\udeDF y \\ud83d\\udedf"},"metadata":{"\\udfff":"\\ude00\\ud83d"}}',
    );
    expect(posted.status).toBe(200);
    const query = `${REPLACED} x ${REPLACED} y 🛟`;
    expect(posted.json.preprocessor_runs[1].query).toBe(query);
    expect(await readBack(posted)).toMatchObject({
      ...posted.json,
      user_input: { query },
      metadata: { [REPLACED]: `${REPLACED}${REPLACED}` },
    });
  });

  it('4.4 provider texts with U+0000 and lone surrogates are read back as they were answered', async () => {
    const posted = await server.search({
      user_input: { query: 'x [[*:odd-rows]]' },
      search: { tier: 'max', num_results: 20, include_raw: true },
    });
    expect(posted.text).toContain('\\u0000');
    // half a character is refused by strict readers, together with the whole text around it
    expect(posted.text).toContain('lone \\ufffd characters');
    const read = await readBack(posted);
    expect(read).toMatchObject(posted.json);
    expect(read.text.startsWith(posted.text.slice(0, -1))).toBe(true);
  });

  it('4.4 keys such as __proto__ are plain keys, deep-equal', async () => {
    const metadata =
      '{"__proto__":{"polluted":true,"__proto__":[1]},"constructor":{"prototype":{"x":1}},"toString":null,"hasOwnProperty":"\\u0000"}';
    const input = '{"query":"x","__proto__":{"admin":true},"valueOf":2}';
    const posted = await postText(`{"user_input":${input},"metadata":${metadata}}`);
    expect(posted.status).toBe(200);
    const { text } = await readBack(posted);
    expect(text).toContain(`"user_input":${input}`);
    expect(text).toContain(`"metadata":${metadata.replace('\\u0000', REPLACED)}`);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const batch = await postText(`{"user_input":[${input}]}`);
    expect((await readBack(batch)).text).toContain(`"user_input":{"queries":[${input}]}`);
  });

  it('4.4 numbers, empty and deeply nested values of metadata are read back deep-equal', async () => {
    const deep = JSON.parse(`${'{"a":['.repeat(29)}1${']}'.repeat(29)}`);
    const metadata = {
      numbers: [0, -0.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, 1.7976931348623157e308],
      empty: [{}, [], '', null, false],
      '': { '': '' },
      deep,
      order: { z: 1, a: 2, 10: 3, 9: 4 },
    };
    const posted = await server.search({ user_input: { query: 'x' }, metadata });
    expect((await readBack(posted)).metadata).toEqual(metadata);
  });

  it('4.4 an answer of several megabytes is read back value for value', async () => {
    const posted = await server.search({
      user_input: [{ query: 'long [[*:too-large=1500000]]' }, { query: 'rows [[exa:rows=600]]' }],
      search: { tier: 'max', include_raw: true },
    });
    expect(posted.text.length).toBeGreaterThan(4_000_000);
    const read = await readBack(posted);
    expect(read.text.startsWith(posted.text.slice(0, -1))).toBe(true);
    const path = `/v1/sessions/${posted.json.session_id}/history?type=full`;
    const { json } = await server.call('GET', path);
    expect(json.interactions[0].preprocessor_runs).toEqual(posted.json.preprocessor_runs);
  });

  it('4.4 a request near the size limit of 1 MiB is read back value for value', async () => {
    const filling = '潮é🛟"\\'.repeat(60_000);
    const metadata = { filling };
    const posted = await server.search({ user_input: { query: 'x' }, metadata });
    expect(posted.status).toBe(200);
    expect((await readBack(posted)).metadata).toEqual(metadata);
  });

  it('4.2 user_id keeps its characters too', async () => {
    const session_id = randomUUID();
    const rawBody = `{"session_id":"${session_id}","user_id":"🛟\\u0000\\ud800 x"}`;
    expect((await server.call('POST', '/v1/interactions', { rawBody })).status).toBe(200);
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const rows = await db
      .selectFrom('interactions')
      .select('user_id')
      .where('session_id', '=', session_id)
      .execute();
    await db.destroy();
    expect(rows).toEqual([{ user_id: `🛟${REPLACED}${REPLACED} x` }]);
  });
});
