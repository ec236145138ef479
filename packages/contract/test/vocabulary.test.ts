import { describe, expect, test } from 'vitest';
import { fieldsOfTier, NAMEABLE_FIELDS, RESULT_FIELDS, TIER_ADDS, TIERS } from '../src/index.ts';

describe('tiers are cumulative', () => {
  test.each(TIERS.slice(1).map((tier, index) => [tier, TIERS[index]] as const))(
    '%s includes all of %s',
    (tier, below) => {
      const fields = fieldsOfTier(tier);
      for (const field of fieldsOfTier(below ?? tier)) expect(fields).toContain(field);
      expect(fields.length).toBeGreaterThan(fieldsOfTier(below ?? tier).length);
    },
  );

  test('every field belongs to exactly one step', () => {
    expect(TIERS.flatMap((tier) => TIER_ADDS[tier]).toSorted()).toEqual(
      [...RESULT_FIELDS].toSorted(),
    );
    expect(fieldsOfTier('max')).toEqual(RESULT_FIELDS);
  });

  test('fields come in table order', () => {
    expect(fieldsOfTier('extended')).toEqual([
      'url',
      'title',
      'rank',
      'summary',
      'excerpt',
      'full_content',
      'publish_date',
      'usage',
    ]);
  });
});

test('fields that are always there may also be named', () => {
  expect(NAMEABLE_FIELDS).toEqual([...RESULT_FIELDS, 'latency_ms', 'warnings']);
});
