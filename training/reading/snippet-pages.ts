import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A page of which only some sentences are known: those that its text has, and those that are around
 * it.
 */
export interface SnippetPage {
  readonly url: string;
  readonly html: Uint8Array;
  readonly inText: readonly string[];
  readonly around: readonly string[];
}

/** trafilatura's set for its own evaluation. */
export const SNIPPETS = {
  name: 'trafilatura, tests/evaldata.json',
  folder: 'trafilatura',
  source: 'https://github.com/adbar/trafilatura',
  licence: 'Apache-2.0',
};

export const hasSnippets = (data: string): boolean =>
  existsSync(join(data, SNIPPETS.folder, 'tests', 'evaldata.json'));

/** @param data the folder of all sets */
export function* snippetPages(data: string): Generator<SnippetPage> {
  const tests = join(data, SNIPPETS.folder, 'tests');
  const known: Record<
    string,
    { file: string; with: readonly string[]; without: readonly string[] }
  > = JSON.parse(readFileSync(join(tests, 'evaldata.json'), 'utf8'));
  for (const [url, { file, with: inText, without: around }] of Object.entries(known)) {
    const path = ['cache', 'eval'].map((folder) => join(tests, folder, file)).find(existsSync);
    if (path) yield { url, html: readFileSync(path), inText, around };
  }
}

/** On one line. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
