import { PROVIDERS } from '@trawl/providers';
import { expect, test } from 'vitest';

test.each(PROVIDERS.map(({ slug, dataUse }) => [slug, dataUse] as const))(
  'what is said of the customer data of %s has a source, or says that nothing was found',
  (_slug, { training, retention, region, source, note, checked }) => {
    const isVendor = region !== 'your own';
    const isKnown = [training, retention, region].some((fact) => fact !== 'unknown');
    if (isVendor && isKnown) expect(source).toMatch(/^https:\/\//);
    if (isVendor && source === null) expect(note).toMatch(/^Nothing was found/);
    expect((checked ?? '') <= new Date().toISOString().slice(0, 10)).toBe(true);
    expect(note).not.toBe('');
  },
);

test('only what runs on machines of the operator is trusted without a vendor to promise it', () => {
  const own = PROVIDERS.filter(({ dataUse }) => dataUse.training === 'no').map(({ slug }) => slug);
  expect(own).toEqual(['searxng', 'direct']);
});
