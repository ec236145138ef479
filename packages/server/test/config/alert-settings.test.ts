import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/given.ts';

function problemsOf(environment: Environment): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const BOTH = {
  ALERT_WEBHOOK_URL: 'http://10.0.0.7:9000/hooks/trawl?token=a',
  ALERT_WEBHOOK_SECRET: 'sixteen-or-more-characters',
};

it('alerts need an address, which may be private, and a secret', () => {
  expect(readConfig(BOTH).alertWebhookUrl).toBe(BOTH.ALERT_WEBHOOK_URL);
  expect(problemsOf({ ALERT_WEBHOOK_URL: BOTH.ALERT_WEBHOOK_URL })).toEqual([
    'ALERT_WEBHOOK_SECRET must be set where ALERT_WEBHOOK_URL is',
  ]);
  expect(problemsOf({ ALERT_WEBHOOK_SECRET: BOTH.ALERT_WEBHOOK_SECRET })).toEqual([
    'ALERT_WEBHOOK_URL must be set where ALERT_WEBHOOK_SECRET is',
  ]);
});

it.each(['hooks.example.com', 'ftp://hooks.example.com/', 'https://user:word@hooks.example.com/'])(
  'the address %s is refused, and not repeated',
  (url) => {
    expect(problemsOf({ ...BOTH, ALERT_WEBHOOK_URL: url })).toEqual([
      'ALERT_WEBHOOK_URL must be an http:// or https:// URL without user and fragment',
    ]);
  },
);
