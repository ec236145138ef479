/**
 * The pages of the documentation in reading order, from `docs/navigation.json`, and where each of
 * them is served.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { NAVIGATION } from '../source-files.mjs';

/**
 * @typedef {object} Page
 * @property {string} file From the root of the repository: `docs/api.md`.
 * @property {string} title The short one, for the navigation.
 * @property {string} group
 * @property {string} about What the pages of its group are about, where they don't say it
 * themselves.
 * @property {string} url `/docs/api`
 * @property {string} sourceUrl Where the markdown is served: `/docs/api.md`.
 */

/** @returns {{pages: Page[], missing: string[]}} `missing`: files that are named and not there. */
export function readNavigation(root) {
  const named = namedPages(root);
  const isThere = (page) => existsSync(join(root, page.file));
  return {
    pages: named.filter(isThere),
    missing: named.filter((page) => !isThere(page)).map((page) => page.file),
  };
}

function namedPages(root) {
  try {
    const { groups } = JSON.parse(readFileSync(join(root, NAVIGATION), 'utf8'));
    return groups.flatMap((group) => group.pages.map((entry) => pageOf(entry, group)));
  } catch (error) {
    throw new Error(`${NAVIGATION}: ${error.message}`, { cause: error });
  }
}

function pageOf({ file, title }, group) {
  const path = posix.join('docs', file);
  const place = path.startsWith('docs/')
    ? path.slice('docs/'.length)
    : `project/${path.toLowerCase()}`;
  const name = place.replace(/\.md$/, '');
  return {
    file: path,
    title,
    group: group.title,
    about: group.about ?? '',
    url: name === 'README' ? '/docs' : `/docs/${name}`,
    sourceUrl: `/docs/${place}`,
  };
}
