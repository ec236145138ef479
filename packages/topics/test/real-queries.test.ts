import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TOPICS, type Topic } from '@trawl/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { collect, readSources, type Source } from '../../../training/topics/collect.ts';
import type { Example } from '../../../training/topics/examples.ts';
import { createRandom } from '../../../training/topics/random.ts';
import { readTexts } from '../../../training/topics/readers.ts';
import { fresh, readRealQueries, trainingSet } from '../../../training/topics/real-queries.ts';
import { readShapes, shaped } from '../../../training/topics/shapes.ts';
import { sourceGroups } from '../../../training/topics/source-validation.ts';

const file = (name: string) =>
  new URL(`../../../training/topics/${name}`, import.meta.url).pathname;
const sources = readSources(file('sources.tsv'));
const shapes = readShapes(file('shapes.tsv'));
const example = (topic: Example['topic'], source: string, query: string): Example => ({
  topic,
  language: 'en',
  style: 'develop',
  query,
  file: source,
});

describe('the list of sources', () => {
  it('has at least four to train on for each topic, and two sealed ones for most', () => {
    for (const topic of TOPICS) {
      const of = (use: Source['use']) =>
        new Set(
          sources
            .filter((one) => one.topic === topic && one.use === use)
            .map(({ source }) => source),
        );
      expect(of('develop').size, topic).toBeGreaterThanOrEqual(4);
      expect(of('sealed').size, topic).toBeGreaterThanOrEqual(2);
    }
  });

  it('has no source both for training and sealed, nor with two licences in one repository and path', () => {
    const uses = new Map<string, string>();
    const licences = new Map<string, string>();
    for (const { source, use, repository, path, licence } of sources) {
      expect(uses.get(source) ?? use, source).toBe(use);
      uses.set(source, use);
      expect(licences.get(`${repository} ${path}`) ?? licence).toBe(licence);
      licences.set(`${repository} ${path}`, licence);
    }
  });

  it('has open licences only', () => {
    for (const { source, licence } of sources) {
      expect(licence, source).toMatch(/^(?:CC0|CC-BY|MIT|ISC|Apache|ODC|Unlicense|US government)/);
      expect(licence, source).not.toMatch(/NC|ND/);
    }
  });

  it('has expressions that can be read', () => {
    for (const { read, path, without } of sources) {
      if (read.startsWith('match ')) expect(() => new RegExp(read.slice(6), 'gmu')).not.toThrow();
      expect(() => new RegExp(path.slice(1))).not.toThrow();
      expect(() => new RegExp(without, 'i')).not.toThrow();
    }
  });
});

describe('texts of a file', () => {
  const read = (text: string, how: string) => readTexts(Buffer.from(text), how);

  it.each([
    ['lines', 'one two\n\nthree &amp; four\n', ['one two', 'three & four']],
    ['csv title', 'id,title\n1,"a, ""b"" c"\n2,plain\n', ['a, "b" c', 'plain']],
    ['csv name+role', 'name,role\nAda,engineer\n', ['Ada engineer']],
    ['csv #2', '1,first\n2,second\n', ['first', 'second']],
    ['tsv query', 'n\tquery\n1\toak bench\n', ['oak bench']],
    ['json question', '{"question": "who \\"won\\"?"}', ['who "won"?']],
    ['match ^- (\\w+) by (\\w+)$', '- dune by herbert\n- no\n', ['dune herbert']],
    ['lower lines', 'ALL CAPITALS', ['all capitals']],
  ])('%s', (how, text, expected) => {
    expect(read(text, how)).toEqual(expected);
  });

  it('are without markup, addresses and names of accounts', () => {
    expect(read('<b>up</b> 3% @someone https://a.example/x now', 'lines')).toEqual(['up 3% now']);
  });

  it('are unpacked', () => {
    expect(readTexts(gzipSync('packed text'), 'lines')).toEqual(['packed text']);
  });

  it('are refused where a column or a way to read is missing', () => {
    expect(() => read('a,b\n', 'csv c')).toThrow('no column c among a, b');
    expect(() => read('a', 'guess')).toThrow('no way to read "guess"');
  });
});

describe('collecting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'topics-'));
  const clone = join(folder, 'clones', 'some+list');
  let source: Source = {
    source: 'list',
    use: 'develop',
    topic: 'companies',
    language: 'en',
    most: 2,
    repository: 'some/list',
    commit: '',
    path: 'names.txt',
    read: 'lines',
    without: '^bad',
    licence: 'CC0-1.0',
    taken: 'names',
  };
  beforeAll(() => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    mkdirSync(clone, { recursive: true });
    writeFileSync(join(clone, 'names.txt'), 'Acme\nacme\nbad one\nBolt Ltd\nCurio\n');
    const git = (...args: string[]) =>
      execFileSync('git', [
        '-C',
        clone,
        '-c',
        'user.name=a',
        '-c',
        'user.email=a@b.example',
        ...args,
      ]);
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'names');
    source = { ...source, commit: git('rev-parse', 'HEAD').toString().trim() };
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  it('takes so many different texts, the same ones each time', () => {
    const texts = ['one', 'two'].map((name) => {
      collect([source], join(folder, 'clones'), join(folder, name));
      return readFileSync(join(folder, name, 'list.tsv'), 'utf8');
    });
    expect(texts[0]).toBe(texts[1]);
    const examples = readRealQueries(join(folder, 'one'))?.develop ?? [];
    expect(examples).toHaveLength(2);
    expect(new Set(examples.map(({ query }) => query.toLowerCase())).size).toBe(2);
    expect(examples.map(({ query }) => query)).not.toContain('bad one');
  });

  it('names a repository that is not there, and goes on', () => {
    const missing = { ...source, source: 'gone', repository: 'not/there' };
    collect([missing, source], join(folder, 'clones'), join(folder, 'three'));
    expect(console.log).toHaveBeenCalledWith(
      expect.stringContaining('skipped gone: no clone of not/there'),
    );
    expect(readRealQueries(join(folder, 'three'))?.develop).toHaveLength(2);
  });

  it('leaves training without real queries where the folder is missing', () => {
    expect(readRealQueries(join(folder, 'none'))).toBeUndefined();
  });
});

describe('a training set with real queries', () => {
  const own = [example('news', 'own', 'storm today')];
  const real = [
    example('companies', 'names', 'Acme'),
    example('people_profiles', 'people', 'Ada Lovelace'),
    example('news', 'headlines', 'Storm Today'),
  ];

  it('has names in the shapes of other topics, with the topic of the shape', () => {
    const made = shaped(real, shapes, 20, createRandom(1));
    expect(made.length).toBeGreaterThan(100);
    expect(made.every(({ query }) => /Acme|Ada Lovelace/.test(query))).toBe(true);
    expect(new Set(made.map(({ topic }) => topic))).toEqual(new Set(TOPICS));
    expect(made.some(({ query }) => /[X#]/.test(query.replace('SEC', '')))).toBe(false);
  });

  it('has the queries of the project more often, and filled forms', () => {
    const described = [example('companies', 'forms', 'battery makers near oslo')];
    const made = trainingSet({ queries: own, shapes, described, terms: [] }, real);
    const queries = made.map(({ query }) => query);
    expect(queries).toContain('battery makers near oslo');
    expect(queries.filter((query) => query === 'storm today').length).toBeGreaterThan(1);
    expect(queries.filter((query) => query === 'Storm Today')).toHaveLength(1);
  });

  it('has no sealed query that a training query has too', () => {
    const sealed = [example('news', 'other', 'acme'), example('news', 'other', 'fire in port')];
    expect(fresh({ develop: real, sealed }, own)).toEqual({
      develop: real.slice(0, 2),
      sealed: sealed.slice(1),
    });
  });
});

it('sources that are left out together have different topics, or are a small part of one', () => {
  const of = (topic: Topic, file: string, count: number) =>
    Array.from({ length: count }, (_, at) => example(topic, file, `${file} ${at}`));
  const real = [
    ...of('news', 'a', 5),
    ...of('news', 'b', 5),
    ...of('companies', 'c', 8),
    ...of('companies', 'tiny', 1),
    ...of('companies', 'small', 1),
    ...of('news', 'mixed', 1),
    ...of('companies', 'mixed', 1),
  ];
  const groups = sourceGroups(real);
  expect(groups.flat().sort()).toEqual(['a', 'b', 'c', 'mixed', 'small', 'tiny']);
  expect(groups).toContainEqual(['mixed', 'tiny']);
  expect(groups).toContainEqual(['b', 'small']);
  expect(groups.some((group) => group.includes('a') && group.includes('b'))).toBe(false);
});
