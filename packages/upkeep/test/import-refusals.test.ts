import { randomUUID } from 'node:crypto';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importProject } from '../src/transfer/import-project.ts';
import {
  hasPlace,
  type Json,
  type Path,
  placesOf,
  readAll,
  recordedLines,
  spent,
  strangeValues,
  textOf,
  withNewIds,
  withValue,
} from './exports.ts';

/** How a refusal begins and ends: the line, the field, and what to do. */
const REFUSED = /^line \d+: .+: .+\. Nothing is imported: .+$/s;

describeMainlyOn('SQLite', 'a file of someone else', (database) => {
  let from: TestServer;
  let to: TestServer;
  let lines: readonly Json[];
  beforeAll(async () => {
    [from, to] = await Promise.all([startTestServer({ database }), startTestServer({ database })]);
    lines = await recordedLines(from);
  });
  afterAll(() => Promise.all([from.stop(), to.stop()]));

  /** Into a project of its own, which exists already. */
  async function bring(given: readonly Json[]) {
    const project = `project ${randomUUID()}`;
    const { key, projectId } = await to.makeKey(project);
    return {
      ...{ key, projectId },
      import: () => importProject(to.database.location, project, textOf(given)),
    };
  }
  /** The export with another value in a place of its first line of this type. */
  function changed(type: string, path: Path, value: unknown): readonly Json[] {
    const renewed = withNewIds(lines);
    const at = renewed.findIndex((line) => line.type === type && hasPlace(line, path));
    return renewed.map((line, index) =>
      index === at ? (withValue(line, path, value) as Json) : line,
    );
  }
  async function expectRefusal(given: readonly Json[], message: RegExp): Promise<void> {
    const brought = await bring(given);
    await expect(brought.import()).rejects.toThrow(message);
    const sessions = await to.call('GET', '/v1/sessions', { key: brought.key });
    expect(sessions.json.sessions).toEqual([]);
    expect(await spent(to, brought.projectId)).toEqual({ calls: 0, micros: 0 });
  }

  it.each<[string, string, Path, unknown]>([
    ['a cost below zero', 'ledger', ['rows', 0, 'cost_micros'], -50_000_000],
    ['a cost that no call has', 'ledger', ['rows', 0, 'cost_micros'], 1e15],
    ['calls below zero', 'ledger', ['rows', 0, 'calls'], -5],
    ['more than a column can hold', 'ledger', ['rows', 0, 'latency_ms'], 2 ** 31],
    ['a day that does not exist', 'ledger', ['rows', 0, 'created_at'], '2026-02-30T00:00:00.000Z'],
    ['an id that is not a uuid', 'ledger', ['rows', 0, 'id'], '1; drop table'],
    ['U+0000', 'ledger', ['rows', 0, 'user_id'], 'a\u0000b'],
    ['a run that is not a run', 'interaction', ['runs', 0, 'body'], 'x'],
    ['a run with U+0000 in its own id', 'interaction', ['runs', 1, 'body', 'id'], '\u0000'],
    ['a run without its name', 'interaction', ['runs', 1, 'body', 'preprocessor_name'], 7],
    [
      'rows that are not a list',
      'interaction',
      ['runs', 1, 'body', 'output_payload', 'results'],
      7,
    ],
    ['a text that is not JSON', 'interaction', ['runs', 0, 'body_text'], '{"id":'],
    ['metadata that is a list', 'interaction', ['metadata'], []],
    ['an input that is a text', 'interaction', ['user_input'], 'whales'],
    ['routing with U+0000', 'interaction', ['routing'], [{ topic: 'a\u0000', providers: [] }]],
    ['titles that are not texts', 'interaction', ['titles'], { 'https://example.com/': 5 }],
    [
      'very deep JSON',
      'interaction',
      ['metadata_text'],
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    ],
    ['an id that no path reaches', 'interaction', ['session_id'], randomUUID().toUpperCase()],
    ['two runs in one place', 'interaction', ['runs', 2, 'position'], 0],
    ['a key with line breaks', 'key', ['name'], 'ok\n\u001b[31m'],
  ])('is refused for %s, and nothing of it is written', async (_title, type, path, value) => {
    await expectRefusal(changed(type, path, value), REFUSED);
  });

  it('is refused for a second header, and for a line behind its end', async () => {
    const [header = {}, ...rest] = withNewIds(lines);
    await expectRefusal([header, header, ...rest], REFUSED);
    await expectRefusal([header, ...rest, ...rest.slice(0, 1)], REFUSED);
  });

  it.each<[string, string, Path]>([
    ['of an interaction', 'interaction', ['key_id']],
    ['of an idempotency key', 'interaction', ['repeat', 'key_id']],
    ['of the ledger', 'ledger', ['rows', 0, 'key_id']],
    ['that it lists', 'key', ['id']],
  ])('is refused for a key of another project: one %s', async (_title, type, path) => {
    const { id } = await to.makeKey('another');
    await expectRefusal(changed(type, path, id), /^line \d+: \S*: .+ belongs to another project/);
  });

  it.each(['interaction_id', 'session_id'])(
    'is refused for a ledger with an %s of another project',
    async (column) => {
      const { key } = await to.makeKey('another');
      const { json } = await to.search({ user_input: { query: 'theirs' } }, { key });
      const mutant = changed('ledger', ['rows', 0, column], json[column]);
      await expectRefusal(mutant, /^line \d+: rows\.0\.\S+: .+ belongs to another project/);
    },
  );

  it('may have each line twice: what is there already is passed over', async () => {
    const isOnce = ({ type }: Json) => type === 'trawl_export' || type === 'end';
    const twice = withNewIds(lines).flatMap((line) => (isOnce(line) ? [line] : [line, line]));
    const { projectId, ...brought } = await bring(twice);
    const count = lines.filter(({ type }) => type === 'interaction').length;
    expect(await brought.import()).toMatchObject({ added: count, present: count });
    expect(await spent(to, projectId)).toEqual(await spent(from, from.projectId));
  });

  it('with any one value changed is refused, or can be read everywhere and takes nothing from usage', async () => {
    const places = lines.flatMap((line, at) => placesOf(line).map((path) => ({ at, path })));
    const mutation = fc.constantFrom(...places);
    const outcomes = { refused: 0, read: 0 };
    await fc.assert(
      fc.asyncProperty(mutation, strangeValues(), async ({ at, path }, value) => {
        const mutant = withNewIds(lines).map((line, index) =>
          index === at ? (withValue(line, path, value) as Json) : line,
        );
        const brought = await bring(mutant);
        const refusal = await brought.import().then(
          () => undefined,
          (error: Error) => error.message,
        );
        const { calls, micros } = await spent(to, brought.projectId);
        expect([calls >= 0, micros >= 0]).toEqual([true, true]);
        if (refusal === undefined) {
          for (const { status } of await readAll(to, brought)) expect(status).toBeLessThan(500);
          outcomes.read += 1;
        } else {
          expect(refusal).toMatch(/^(?:line \d+: .+ Nothing is imported: |the export )/s);
          expect(calls).toBe(0);
          outcomes.refused += 1;
        }
      }),
      { numRuns: byForm({ small: 24, full: 600 }) },
    );
    expect(Math.min(outcomes.refused, outcomes.read)).toBeGreaterThan(3);
  }, 600_000);
});
