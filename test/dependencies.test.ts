import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, Locked>> };

test('only esbuild runs a script when it is installed, since packages send telemetry with such scripts', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/esbuild']);
});
