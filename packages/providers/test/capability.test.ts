import { fieldsOfTier, type ResultField, type Tier } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { gapsOf, unsupportedFields } from '../src/index.ts';
import { searchOf } from './support/providers.ts';

const brave = searchOf('brave');
const exa = searchOf('exa');

const gaps = (provider: typeof exa, tier: Tier, fullContent = false) =>
  gapsOf(provider, { tier, fields: new Set(fieldsOfTier(tier)), fullContent, overrides: {} }).map(
    ({ field }) => field,
  );
const named = (provider: typeof exa, ...fields: ResultField[]) =>
  gapsOf(provider, { tier: null, fields: new Set(fields), fullContent: false, overrides: {} }).map(
    ({ field }) => field,
  );

describe('gaps depend on the request', () => {
  test.each<[string, ResultField[], ResultField[]]>([
    ['exa at minimalist', gaps(exa, 'minimalist'), []],
    ['exa at default', gaps(exa, 'default'), []],
    ['exa at extended', gaps(exa, 'extended'), ['excerpt', 'full_content']],
    ['exa at extended with full content', gaps(exa, 'extended', true), ['excerpt']],
    ['exa at max', gaps(exa, 'max'), ['fetch_meta', 'answer', 'entities', 'related', 'verticals']],
    ['exa by name', named(exa, 'excerpt', 'full_content', 'summary'), []],
    ['brave at default', gaps(brave, 'default'), []],
    ['brave at extended', gaps(brave, 'extended', true), ['full_content', 'usage']],
    ['brave at max', gaps(brave, 'max'), ['full_content', 'usage', 'answer', 'related']],
  ])('%s', (_name, actual, expected) => {
    expect(actual).toEqual(expected);
  });

  test('an override that asks for the answer or the text closes that gap of exa', () => {
    const wanted = {
      tier: 'max',
      fields: new Set(fieldsOfTier('max')),
      fullContent: false,
    } as const;
    const withSchema = gapsOf(exa, { ...wanted, overrides: { outputSchema: { type: 'text' } } });
    expect(withSchema.map(({ field }) => field)).not.toContain('answer');
    const extended = {
      ...wanted,
      tier: 'extended',
      fields: new Set(fieldsOfTier('extended')),
    } as const;
    const withText = gapsOf(exa, { ...extended, overrides: { contents: { text: true } } });
    expect(withText.map(({ field }) => field)).toEqual(['excerpt']);
    const withoutText = gapsOf(exa, { ...wanted, overrides: { contents: { text: false } } });
    expect(withoutText.map(({ field }) => field)).toContain('full_content');
  });
});

test('the roster lists the fields that no tier or option supplies', () => {
  expect(unsupportedFields(exa.capabilities)).toEqual([
    'fetch_meta',
    'answer',
    'entities',
    'related',
    'verticals',
  ]);
  expect(unsupportedFields(brave.capabilities)).toEqual([
    'full_content',
    'usage',
    'answer',
    'related',
  ]);
});
