import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Locked {
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as { readonly packages: Readonly<Record<string, Locked>> };

// each is known to look for its binary in the package, and to do nothing else where it is there
test('only two packages run a script when they are installed, since packages send telemetry with such scripts', () => {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual([
    'node_modules/@photostructure/sqlite',
    'node_modules/esbuild',
  ]);
});

test('no test tool, bundler or library of the pages is installed without development packages', () => {
  const names = ['vitest', 'vite', 'rolldown', 'react', 'react-dom', 'better-auth'];
  const kept = Object.entries(packages).filter(
    ([path, { dev }]) => names.includes(path.replace(/^.*node_modules\//, '')) && !dev,
  );
  expect(kept.map(([path]) => path)).toEqual([]);
});
