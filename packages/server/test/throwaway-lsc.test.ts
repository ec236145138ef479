import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './support/harness.ts';
let server: TestServer;
beforeAll(async () => { server = await startTestServer(); });
afterAll(() => server.stop());
const slugs = (process.env.SLUGS ?? 'linkup').split(',');
for (const slug of slugs) for (const tier of ['minimalist','default','extended','max'] as const)
test(`${slug} ${tier}`, async () => {
  const a = await server.search({ user_input: { query: 'tidal energy' }, search: { tier, providers: { include: [slug] }, num_results: 6 } });
  const run = a.json.preprocessor_runs[0];
  expect([a.status, run.status, run.error]).toEqual([200, 'succeeded', null]);
  const out = run.output_payload;
  const gaps = out.warnings.filter((w: any) => w.code === 'capability_gap').map((w: any) => w.message.split(':')[0]).sort();
  const rowNull = Object.keys(out.results[0]).filter((f) => out.results.every((r: any) => r[f] === null));
  const envNull = ['usage','answer','entities','related','verticals'].filter((f) => f in out && (out[f] === null || (Array.isArray(out[f]) && out[f].length === 0)));
  console.log(slug, tier, out.results.length, JSON.stringify(run.request_payload.body ?? run.request_payload.url), 'gaps', gaps.join(), 'nulls', [...rowNull, ...envNull].sort().join(), JSON.stringify(out.warnings.filter((w: any) => w.code !== 'capability_gap')));
  if (tier === 'max') console.log(JSON.stringify(out).slice(0, 3500));
  expect([...rowNull, ...envNull].sort()).toEqual(gaps);
});
for (const slug of slugs)
test.each(['empty','odd-rows','status=429','status=401','status=402','status=500','status=503','not-json','broken-json','wrong-shape=object','wrong-shape=null','gzip','echo-key','rows=30', 'status=400','fail-first=1','cut'])(`${slug} %s`, async (fault) => {
  const a = await server.search({ user_input: { query: `tidal energy [[${slug}:${fault}]]` }, search: { tier: 'max', providers: { include: [slug] }, num_results: 12 } });
  const run = a.json.preprocessor_runs[0];
  console.log(slug, fault, run.status, run.error?.code, run.error?.message, run.output_payload?.results.length, JSON.stringify(run.output_payload?.warnings.filter((w: any) => !/^(excerpt|full|pub|thumb|fetch|usage|answer|ent|rel|vert|fav)/.test(w.message))));
  expect(a.text).not.toContain('planted-');
});
