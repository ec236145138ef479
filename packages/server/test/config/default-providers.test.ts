import { createDeployment } from '@trawl/router';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { deploymentWarnings } from '../../src/config/deployment-warnings.ts';

test('a default provider that is not known gets a suggestion, and the server starts', () => {
  const config = readConfig({
    EXA_API_KEY: 'k',
    DEFAULT_SEARCH_PROVIDERS: 'exa,bravo,nothing-like-it',
  });
  expect(deploymentWarnings(config, createDeployment(config))).toEqual(
    expect.arrayContaining([
      'DEFAULT_SEARCH_PROVIDERS names bravo, which is not a known provider; did you mean brave?',
      'DEFAULT_SEARCH_PROVIDERS names nothing-like-it, which is not a known provider; it is left out',
    ]),
  );
});
