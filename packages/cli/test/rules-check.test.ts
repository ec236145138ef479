import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from './support/command.ts';

const EXA_KEY = 'planted-exa-key-8Qm2';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-rules-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(text: string): string {
  const path = join(folder, 'rules.yaml');
  writeFileSync(path, text);
  return path;
}

const RULES = `
hosts:
  deny: [bad.example, "*.corp.example"]
  allow: [good.example, docs.bad.example]
secrets: refuse
`;

const check = (...args: readonly string[]) =>
  runCommand({ args: ['rules', 'check', ...args], settings: { EXA_API_KEY: EXA_KEY }, folder });

describe('trawl rules check', () => {
  test('says what the file does, and what has no effect', async () => {
    const { code, stdout } = await check(written(RULES));
    expect([code, stdout]).toEqual([
      0,
      `${join(folder, 'rules.yaml')}: 2 hosts denied, only 2 hosts allowed, secrets refuse
hosts.allow: no effect of docs.bad.example, since hosts.deny names them too
`,
    ]);
  });

  test('names the rule against each query and URL, and repeats no secret', async () => {
    const secret = `ghp_${'aB3dE6gH9'.repeat(4)}`;
    const file = written(RULES);
    const asked = ['--query', 'tides', '--query', `my ${EXA_KEY}`, '--query', `x ${secret}`];
    const urls = ['--url', 'https://a.BAD.example./x', '--url', 'https://good.example/'];
    const more = ['--url', 'https://x.corp.example/', '--url', 'https://corp.example/'];
    const { code, stdout, stderr } = await check(file, ...asked, ...urls, ...more, '--json');
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).not.toMatch(/planted|ghp_/);
    expect(JSON.parse(stdout).checks.map(({ rule }: { rule: string | null }) => rule)).toEqual([
      null,
      'keys',
      'secrets',
      'hosts.deny',
      null,
      'hosts.deny',
      'hosts.allow',
    ]);
    expect((await check(file, '--url', 'https://good.example/')).code).toBe(0);
    expect((await check(file, '--url', 'good')).stderr).toContain('--url takes an absolute URL');
  });

  test('ends with the place of what is wrong in the file', async () => {
    const { code, stderr } = await check(written('hosts: { allow: [a.example:8080] }'));
    expect(code).not.toBe(0);
    expect(stderr).toContain(
      "hosts.allow[0]: 'a.example:8080' is not a host: it must have no scheme, port, path or user; write a.example; its subdomains are included",
    );
  });
});
