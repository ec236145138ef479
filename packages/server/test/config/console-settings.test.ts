import { expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/config.ts';
import { idleSettings } from '../../src/config/deployment-warnings.ts';

const SINGLE_SIGN_ON = {
  PUBLIC_URL: 'https://trawl.example.com',
  CONSOLE_OIDC_ISSUER: 'https://login.example.com/',
  CONSOLE_OIDC_CLIENT_ID: 'trawl',
  CONSOLE_OIDC_CLIENT_SECRET: 'secret-word',
};

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

it('the console is on, with passwords, unless settings say otherwise', () => {
  expect(readConfig({})).toMatchObject({
    console: 'on',
    consoleSecret: undefined,
    consoleOidcIssuer: undefined,
    consoleOidcOnly: 'off',
    consoleOidcLabel: 'single sign-on',
  });
});

it('single sign-on needs an issuer, a client and the public address', () => {
  expect(problemsOf(SINGLE_SIGN_ON)).toEqual([]);
  expect(readConfig(SINGLE_SIGN_ON).consoleOidcIssuer).toBe('https://login.example.com/');
  const { CONSOLE_OIDC_ISSUER } = SINGLE_SIGN_ON;
  expect(problemsOf({ CONSOLE_OIDC_ISSUER })).toEqual([
    'CONSOLE_OIDC_CLIENT_ID must be set where CONSOLE_OIDC_ISSUER is',
    'CONSOLE_OIDC_CLIENT_SECRET must be set where CONSOLE_OIDC_ISSUER is',
    'PUBLIC_URL must be set where CONSOLE_OIDC_ISSUER is',
  ]);
  expect(problemsOf({ CONSOLE_OIDC_ONLY: 'on' })).toEqual([
    'CONSOLE_OIDC_ISSUER must be set where CONSOLE_OIDC_ONLY is on',
  ]);
});

it.each([
  'http://login.example.com',
  'https://user:word@login.example.com',
  'https://login.example.com?a=b',
  'login.example.com',
])('the issuer %s is refused', (issuer) => {
  expect(problemsOf({ ...SINGLE_SIGN_ON, CONSOLE_OIDC_ISSUER: issuer })).toEqual([
    'CONSOLE_OIDC_ISSUER must be an https:// URL without user, query or fragment',
  ]);
});

it('settings of single sign-on without an issuer are reported as idle', () => {
  const { CONSOLE_OIDC_CLIENT_ID } = SINGLE_SIGN_ON;
  expect(idleSettings({ CONSOLE_OIDC_CLIENT_ID, CONSOLE_OIDC_DOMAINS: 'example.com' })).toEqual([
    'CONSOLE_OIDC_CLIENT_ID is set, but changes nothing: CONSOLE_OIDC_ISSUER is not set',
    'CONSOLE_OIDC_DOMAINS is set, but changes nothing: CONSOLE_OIDC_ISSUER is not set',
  ]);
});
