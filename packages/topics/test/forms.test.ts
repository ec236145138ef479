import { join } from 'node:path';
import { TOPICS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { readExamples, unseen } from '../../../training/topics/examples.ts';
import {
  type Form,
  filledForms,
  readForms,
  readFormWords,
} from '../../../training/topics/forms.ts';
import { createRandom } from '../../../training/topics/random.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'training', 'topics');
const words = new Map([
  ['en role', ['welder', 'baker']],
  ['en place', ['oslo', 'new york']],
  ['en person', ['{first} day']],
  ['en first', ['ann']],
]);
const form = (text: string, group: Form['group'] = 'people'): Form => ({
  group,
  topic: 'people_profiles',
  language: 'en',
  text,
});
const filled = (text: string, group?: Form['group']): string[] =>
  filledForms([form(text, group)], words, createRandom(1)).map(({ query }) => query);

describe('a form', () => {
  it('gets words in its slots, with capitals where they are names, and in lower case often', () => {
    const queries = filled('a {role} in {place}', 'event');
    const lower = ['welder', 'baker'].flatMap((role) =>
      ['oslo', 'new york'].map((place) => `a ${role} in ${place}`),
    );
    expect(queries.map((query) => query.toLowerCase()).sort()).toEqual(lower.sort());
    expect(queries.some((query) => /New York|Oslo/.test(query))).toBe(true);
    expect(queries.some((query) => query === query.toLowerCase())).toBe(true);
  });

  it('gets one of its choices, and an optional part or not', () => {
    const plain = filled('(tall|short) tale[ again]', 'event').map((query) => query.toLowerCase());
    expect(plain.sort()).toEqual([
      'short tale',
      'short tale again',
      'tall tale',
      'tall tale again',
    ]);
  });

  it('gets two different words where it asks for a second one', () => {
    for (const query of filled('{role} or {role2}', 'event')) {
      expect(query.toLowerCase()).toMatch(/^(?:welder or baker|baker or welder)$/);
    }
  });

  it('fills the slots of its words', () => {
    expect(filled('{person}', 'event').map((query) => query.toLowerCase())).toEqual(['ann day']);
  });

  it('names a slot without words', () => {
    expect(() => filled('{ship}')).toThrow('form-words.tsv has no words for "ship"');
  });
});

describe('the forms of the project', () => {
  const make = () =>
    filledForms(
      readForms(join(FOLDER, 'forms.tsv')),
      readFormWords(join(FOLDER, 'form-words.tsv')),
      createRandom(1),
    );
  const made = make();

  it('give the same queries in every run, of every topic, without open slots', () => {
    expect(make()).toEqual(made);
    expect(new Set(made.map(({ topic }) => topic))).toEqual(new Set(TOPICS));
    expect(made.length).toBeGreaterThan(20_000);
    expect(made.filter(({ query }) => /[{}[\]|]/.test(query))).toEqual([]);
  });

  it('make none of the descriptive test queries', () => {
    const tests = readExamples(join(FOLDER, 'tests', 'descriptive.tsv'));
    expect(tests).toHaveLength(200);
    expect(unseen(tests, made)).toEqual(tests);
  });
});
