import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { at, documents, fields, items } from './support/deploy-files.ts';

const [compose] = documents('deploy/compose.yaml');
const services = fields(at(compose, 'services'));

test.each(Object.entries(services))('%s can write to its volumes only', (_name, service) => {
  expect(service).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
  });
});

test('mounts the secrets that make-secrets.sh makes, and keeps those that exist', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-secrets-'));
  try {
    const script = join(folder, 'make-secrets.sh');
    cpSync(fileURLToPath(new URL('../deploy/make-secrets.sh', import.meta.url)), script);
    const made = (): Readonly<Record<string, string>> => {
      execFileSync('sh', [script]);
      const names = readdirSync(join(folder, 'secrets')).sort();
      return Object.fromEntries(
        names.map((name) => [name, readFileSync(join(folder, 'secrets', name), 'utf8').trim()]),
      );
    };
    const secrets = made();
    expect(Object.keys(secrets)).toEqual(Object.keys(fields(at(compose, 'secrets'))).sort());
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
    const { database_url = '', postgres_password = '' } = secrets;
    expect(postgres_password).toMatch(/^[0-9a-f]{48}$/);
    expect(new URL(database_url).password).toBe(postgres_password);
    expect(made()).toEqual(secrets);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('declares the secrets, volumes and networks that its services use', () => {
  for (const kind of ['secrets', 'networks']) {
    const used = Object.values(services).flatMap((service) => items(at(service, kind)));
    expect(Object.keys(fields(at(compose, kind))).sort()).toEqual([...new Set(used)].sort());
  }
  const [searxng] = documents('deploy/searxng/settings.yml');
  expect(at(searxng, 'search.formats')).toContain('json');
});
