import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Asked, type StubModel, startModel, testPlaces } from './program.ts';

const at = testPlaces();
const models: StubModel[] = [];
afterEach(() => {
  for (const model of models.splice(0)) model.stop();
});

async function modelOf(...answer: Parameters<typeof startModel>): Promise<StubModel> {
  const model = await startModel(...answer);
  models.push(model);
  return model;
}

const isJudge = ({ rules }: Asked) => rules.startsWith('Compare');
const WORDS = [
  'tidal power',
  'rope walks',
  'heat pumps',
  'salt marshes',
  'peat bogs',
  'wind mills',
];

/** brave finds nothing on any of them. */
const QUERIES = [...WORDS, ...WORDS.map((word) => `history of ${word}`)].map((word) => ({
  query: `${word} [[brave:empty]]`,
  expected_answer: 'in forty two days',
}));

/** Right where it sees a result, and honest otherwise. */
const answerOf = ({ content }: Asked): string =>
  content.includes('\n[1] ') ? 'It takes in forty two days.' : 'I do not know.';

const gradeOf = ({ content }: Asked): string =>
  content.split('Answer: ')[1]?.includes('in forty two days')
    ? '```json\n{"grade": "correct"}\n```'
    : '{"grade": "not_attempted"}';

const honest = (asked: Asked): string => (isJudge(asked) ? gradeOf(asked) : answerOf(asked));

const ask = (file: string, { url }: StubModel, ...more: readonly string[]) => [
  ...[file, '--providers', 'exa,brave', '--yes', '--json'],
  ...['--model-url', url, '--model', 'small', ...more],
];

describe('answers from the first rows', () => {
  test('the better provider is found, next to both controls, and the price is at most what was shown', async () => {
    const model = await modelOf(honest);
    const file = await at.place.setFile(QUERIES);
    const args = ask(file, model, '--model-price', '1,2');
    const key = { MODEL_API_KEY: 'planted-model-key' };
    const priced = await at.place.evaluate([...args, '--dry-run'], key);
    const plan = JSON.parse(priced.stdout);
    expect(model.asked).toEqual([]);
    const { code, stdout, stderr } = await at.place.evaluate(args, key);
    expect(code).toBe(0);
    expect(stderr).toContain('at most 96 model calls with at most');
    const { groups, cost, models: names } = JSON.parse(stdout);
    expect(groups[0].controls).toMatchObject({ null: { mean: 0 }, oracle: { mean: 1 } });
    expect(groups[0].comparisons).toContainEqual(
      expect.objectContaining({ first: 'exa', measure: 'answers', verdict: 'better' }),
    );
    expect(names.judge).toBe(`small at ${model.url}`);
    // what sees the same is asked once: brave found as little as the control without results
    expect(cost.model_calls).toBe(model.asked.length);
    expect(cost.model_calls).toBeLessThan(plan.model.calls_at_most);
    expect(cost.model_usd).toBeLessThanOrEqual(plan.model.usd_at_most);
    expect(
      model.asked.every(({ authorization }) => authorization === 'Bearer planted-model-key'),
    ).toBe(true);
    const run = await readFile(join(at.place.folder, 'mine.run.jsonl'), 'utf8');
    expect([run, stdout, stderr].join()).not.toContain('planted-model-key');
    const before = model.asked.length;
    const again = await at.place.evaluate(args, key);
    expect([again.stdout, model.asked.length]).toEqual([stdout, before]);
  });

  test('a judge that writes nonsense leaves its answers ungraded, and is not asked again', async () => {
    const model = await modelOf((asked) => (isJudge(asked) ? 'banana' : answerOf(asked)));
    const file = await at.place.setFile(QUERIES.slice(0, 2));
    const { code, stdout } = await at.place.evaluate(ask(file, model));
    const { groups, faults } = JSON.parse(stdout);
    expect([code, groups[0].providers[0].answers]).toEqual([0, null]);
    expect(faults).toHaveLength(8);
    expect(faults[0]).toMatchObject({ what: 'no_grade', reason: 'the judge wrote "banana"' });
    const before = model.asked.length;
    await at.place.evaluate(ask(file, model));
    expect(model.asked).toHaveLength(before);
  });

  test('a judge that never answers is a row with a timeout', async () => {
    const model = await modelOf((asked) => (isJudge(asked) ? undefined : answerOf(asked)));
    const file = await at.place.setFile(QUERIES.slice(0, 1));
    const { code, stdout } = await at.place.evaluate(ask(file, model, '--model-timeout', '1'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout).faults).toContainEqual(
      expect.objectContaining({ what: 'no_grade', about: 'exa', reason: 'timeout' }),
    );
  });

  test('the key of the model is not sent to a judge elsewhere', async () => {
    const model = await modelOf(answerOf);
    const judge = await modelOf(gradeOf);
    const file = await at.place.setFile(QUERIES.slice(0, 1));
    const env = { MODEL_API_KEY: 'planted-model-key' };
    const args = ask(file, model, '--judge-url', judge.url, '--judge', 'strict');
    expect((await at.place.evaluate(args, env)).code).toBe(0);
    expect(judge.asked.map(({ authorization }) => authorization)).not.toContain(
      'Bearer planted-model-key',
    );
    expect(judge.asked.every(({ model: name }) => name === 'strict')).toBe(true);
  });

  test('a page in place of an API is an error before any provider was asked', async () => {
    const model = await modelOf(() => ({ status: 200, body: '<!doctype html><title>Hi</title>' }));
    const file = await at.place.setFile(QUERIES.slice(0, 2));
    const { code, stderr } = await at.place.evaluate(ask(file, model));
    expect(code).toBe(5);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'model_answer',
      message: `the model at ${model.url} answers HTML`,
    });
    expect(at.server.sandbox.calls).toEqual([]);
  });

  test('parameters that a model refuses are left out, and it may think first', async () => {
    const model = await modelOf((asked) => {
      const { parameters } = asked;
      const param = ['max_tokens', 'temperature'].find((name) => name in parameters);
      if (param === undefined) return honest(asked);
      const error = { message: `Unsupported: ${param}`, param, code: 'unsupported_parameter' };
      return { status: 400, body: JSON.stringify({ error }) };
    });
    const file = await at.place.setFile(QUERIES.slice(0, 2));
    const args = ask(file, model, '--model-thinking', '1000', '--model-price', '1,2');
    const { model: plan } = JSON.parse((await at.place.evaluate([...args, '--dry-run'])).stdout);
    const { stdout } = await at.place.evaluate(args);
    const { groups, faults, cost } = JSON.parse(stdout);
    expect([faults, groups[0].controls.oracle.mean]).toEqual([[], 1]);
    const taken = model.asked.filter(({ parameters }) => !('temperature' in parameters));
    const tokens = taken.map(({ parameters }) => parameters.max_completion_tokens);
    expect(new Set(tokens)).toEqual(new Set([1_200, 1_050]));
    // four at once may learn it, for two parameters
    expect(model.asked.length - taken.length).toBeLessThanOrEqual(8);
    expect(cost.model_calls).toBe(taken.length);
    expect(plan.tokens_out_at_most).toBe(8 * 1_200 + 8 * 1_050);
  });

  test('another refusal is a row with the reason', async () => {
    const body = JSON.stringify({ error: { message: 'The text was filtered' } });
    const model = await modelOf(() => ({ status: 400, body }));
    const file = await at.place.setFile(QUERIES.slice(0, 1));
    const { faults } = JSON.parse((await at.place.evaluate(ask(file, model))).stdout);
    expect(faults[0]).toMatchObject({ reason: 'http_400: The text was filtered' });
  });

  test.each([
    [402, { error: { message: 'No credit is left' } }, 'answers 402: No credit is left'],
    [400, { error: { message: 'No such model', param: 'model' } }, 'answers 400: No such model'],
    [200, { error: { message: 'Try another' } }, 'answers 200: Try another'],
    [200, { choices: [{ message: {}, finish_reason: 'length' }] }, 'used all its tokens'],
  ])('%i %j ends the run before any provider was asked', async (status, body, said) => {
    const model = await modelOf(() => ({ status, body: JSON.stringify(body) }));
    const file = await at.place.setFile(QUERIES.slice(0, 2));
    const { code, stderr } = await at.place.evaluate(ask(file, model));
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(said)]);
    expect(at.server.sandbox.calls).toEqual([]);
  });

  test('an answer of another shape is a row without text', async () => {
    const model = await modelOf(() => ({ status: 200, body: '{"choices": 3}' }));
    const file = await at.place.setFile(QUERIES.slice(0, 1));
    const { code, stdout } = await at.place.evaluate(ask(file, model));
    expect([code, JSON.parse(stdout).faults[0].reason]).toEqual([0, 'no_text']);
  });

  test('a model that refuses the key names its variable', async () => {
    const model = await modelOf(() => ({ status: 401, body: '{}' }));
    const file = await at.place.setFile(QUERIES.slice(0, 2));
    const { code, stderr } = await at.place.evaluate(ask(file, model));
    expect([code, stderr]).toEqual([4, expect.stringContaining('MODEL_API_KEY')]);
    expect(at.server.sandbox.calls).toEqual([]);
  });

  test.each([
    [
      ['--model-url', 'ftp://models.test/v1', '--model', 'm'],
      '--model-url takes an http(s) address',
    ],
    [['--model-url', 'https://u:p@models.test', '--model', 'm'], 'without user, password'],
    [['--model', 'm'], '--model goes with --model-url'],
    [['--judge', 'm'], '--judge goes with --model-url and --model'],
    [
      ['--model-url', 'https://models.test', '--model', 'm', '--model-price', '1'],
      '--model-price takes two prices',
    ],
  ])('%j is refused', async (flags, message) => {
    const file = await at.place.setFile(QUERIES);
    const { code, stderr } = await at.place.evaluate([
      file,
      '--providers',
      'exa',
      '--yes',
      ...flags,
    ]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(at.server.sandbox.calls).toEqual([]);
  });

  test('after a kill between answers, the models are not asked the same again', async () => {
    const model = await modelOf(honest);
    const file = await at.place.setFile(QUERIES);
    const child = at.place.start(ask(file, model));
    const closed = once(child, 'close');
    await vi.waitFor(() => expect(model.asked.length).toBeGreaterThan(30), { timeout: 30_000 });
    child.kill('SIGKILL');
    await closed;
    const { stdout } = await at.place.evaluate(ask(file, model));
    expect(JSON.parse(stdout).groups[0].controls.oracle.queries).toBe(12);
    const contents = model.asked.map(({ content }) => content);
    // only what was in progress, four at once, is asked again
    expect(contents.length - new Set(contents).size).toBeLessThanOrEqual(4);
  });
});
