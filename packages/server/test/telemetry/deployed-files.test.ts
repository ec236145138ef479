import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMetrics, type MetricsSnapshot } from '@trawl/telemetry';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_PROMTOOL, promtool } from '../support/promtool.ts';

const DEPLOY = new URL('../../../../deploy/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, DEPLOY), 'utf8');

/** Names of Prometheus itself, and of the labels that it adds. */
const PREFIXES = /\b(?:trawl|http_server|process|nodejs)_[a-z0-9_]+/g;
/** Words of that form that are labels. */
const LABELS = new Set(['http_route', 'http_response_status_code']);

let metrics: MetricsSnapshot;
/** A metric with each of its suffixes. */
let known: Set<string>;
beforeAll(async () => {
  metrics = await createMetrics({ version: '0' }).snapshot();
  known = new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram'
        ? ['_bucket', '_sum', '_count'].map((end) => name + end)
        : [name],
    ),
  );
});

const namesIn = (text: string) =>
  [...new Set(text.match(PREFIXES))].filter((name) => !LABELS.has(name));

const expressionsOf = (dashboard: string): readonly string[] =>
  JSON.parse(dashboard).panels.flatMap(
    ({ targets = [] }: { readonly targets?: readonly { readonly expr: string }[] }) =>
      targets.map(({ expr }) => expr),
  );

describe('every metric exists', () => {
  test('that the dashboard shows', () => {
    const expressions = expressionsOf(read('grafana/trawl.json'));
    expect(expressions.length).toBeGreaterThan(20);
    for (const expression of expressions) expect(namesIn(expression), expression).not.toEqual([]);
    const unknown = namesIn(expressions.join('\n')).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
  });

  test('that the alert rules watch', () => {
    const lines = read('prometheus/alerts.yml').split('\n');
    const unknown = namesIn(lines.filter((line) => !/summary|description/.test(line)).join('\n'));
    expect(unknown.length).toBeGreaterThan(8);
    expect(unknown.filter((name) => !known.has(name))).toEqual([]);
  });

  test('and each of ours is in the dashboard', () => {
    const shown = read('grafana/trawl.json');
    const ours = metrics.map(({ name }) => name).filter((name) => name.startsWith('trawl_'));
    expect(ours.filter((name) => !shown.includes(name))).toEqual([]);
  });
});

describe('promtool', () => {
  test('accepts the names and texts of the metrics', async ({ skip }) => {
    skip(NO_PROMTOOL !== undefined, NO_PROMTOOL);
    const made = createMetrics({ version: '0' });
    const target = { slug: 'tavily', operation: 'search' } as const;
    made.upstream.called(target, { outcome: 'empty', code: null, latencyMs: 3, waitedMs: 2 });
    made.upstream.attempted(target, 'timeout', null);
    made.upstream.opened(target, 'timeout');
    made.work.judged('tavily', 'page');
    made.work.overhead('search', 2);
    made.answered({ method: 'GET', route: null, status: 404, milliseconds: 1 });
    expect(promtool(['check', 'metrics'], await made.text())).toEqual({ status: 0, text: '' });
  });

  test('accepts the alert rules and the configuration', ({ skip }) => {
    skip(NO_PROMTOOL !== undefined, NO_PROMTOOL);
    const path = (name: string) => fileURLToPath(new URL(`prometheus/${name}`, DEPLOY));
    expect(promtool(['check', 'rules', path('alerts.yml')]).status).toBe(0);
    expect(promtool(['check', 'config', path('prometheus.yml')]).status).toBe(0);
  });
});
