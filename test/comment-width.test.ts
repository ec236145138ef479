import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/source-files.mjs';

const WIDTH = 100;
/** A comment on lines of its own; what Biome reads of one cannot be broken. */
const COMMENT = /^\s*(?:\/\*|\*|\/\/)(?! biome-ignore)/;
/** Made from the contract, whose texts are not written in lines. */
const GENERATED = /client\/src\/contract\/types\.ts$/;

test('no comment is wider than code may be', () => {
  const files = ['packages', 'scripts', 'test', 'training'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:[cm]?[jt]s|tsx|css)$/.test(path))
      .filter((path) => !/node_modules|dist\//.test(path) && !GENERATED.test(path))
      .map((path) => join(folder, path)),
  );
  const wide = files.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        line.length > WIDTH && COMMENT.test(line) ? [`${path}:${at + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
