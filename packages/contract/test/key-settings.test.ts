import { expect, test } from 'vitest';
import { AdminKeyChange, NewKeySettings } from '../src/index.ts';

const GOOD = { name: 'good', permissions: ['read'] };

test.each([
  [{ name: '   ' }, 'name'],
  [{ name: 'a bell\u0007' }, 'name'],
  [{ permissions: [] }, 'permissions'],
  [{ permissions: ['everything'] }, 'permissions.0'],
  [{ rate_limit: 0 }, 'rate_limit'],
  [{ monthly_budget_usd: -1 }, 'monthly_budget_usd'],
  [{ expires_at: 'tomorrow' }, 'expires_at'],
  [{ allowed_providers: [] }, 'allowed_providers'],
  [{ profile: { search: { num_results: 3 } } }, 'profile.search.num_results'],
  [{ profile: { search: { filters: { country: 'UK' } } } }, 'profile.search.filters.country'],
])('a key is not made with %j, nor changed to it', (setting, place) => {
  for (const read of [
    NewKeySettings.safeParse({ ...GOOD, ...setting }),
    AdminKeyChange.safeParse(setting),
  ]) {
    const places = read.error?.issues.map(({ path, ...issue }) =>
      [...path, ...('keys' in issue ? issue.keys : [])].join('.'),
    );
    expect(places).toContain(place);
  }
});
