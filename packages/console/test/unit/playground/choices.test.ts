import { describe, expect, test } from 'vitest';
import { lackOfAll, type ProviderChoice } from '../../../src/pages/playground/provider-choices.ts';
import type { PlannedRequest } from '../../../src/requests/planned.ts';

const choice = (slug: string, isChosen: boolean, lack?: string): ProviderChoice => ({
  slug,
  name: slug,
  isChosen,
  lack,
});
const search = (options: object = {}): PlannedRequest => ({
  mode: 'search',
  body: { user_input: { query: 'a' }, search: { ...options } },
});

describe('why a request would ask no provider', () => {
  const one = [choice('exa', true, 'no key'), choice('tavily', false)];

  test('names the only chosen one with what it lacks', () => {
    expect(lackOfAll(search(), one)).toBe('exa (no key) cannot be asked here.');
  });

  test('says so of several, and nothing while one of them can be asked', () => {
    const two = [choice('exa', true, 'no key'), choice('searxng', true, 'no address')];
    expect(lackOfAll(search(), two)).toBe('None of the chosen providers can be asked here.');
    expect(lackOfAll(search(), [...two, choice('tavily', true)])).toBeUndefined();
  });

  test('auto-routing and a fallback may ask others', () => {
    expect(lackOfAll(search({ auto_routing: 'accuracy' }), one)).toBeUndefined();
    expect(lackOfAll(search({ fallback: 'auto' }), one)).toBeUndefined();
    const limited = { auto_routing: 'accuracy', providers: { include: ['exa'] } };
    expect(lackOfAll(search(limited), one)).toBe('exa (no key) cannot be asked here.');
    expect(lackOfAll(search({ fallback: 'off' }), one)).toBe('exa (no key) cannot be asked here.');
  });

  test('is not known before the providers are', () => {
    expect(lackOfAll(search(), [])).toBeUndefined();
  });

  test('a fetch asks its chain', () => {
    const request: PlannedRequest = { mode: 'fetch', body: { urls: ['https://example.com/'] } };
    const chain = [choice('exa', true, 'no key'), choice('tavily', true, 'no key')];
    expect(lackOfAll(request, chain)).toBe('No provider of the chain can be asked here.');
    expect(lackOfAll(request, [...chain, choice('direct', true)])).toBeUndefined();
  });
});
