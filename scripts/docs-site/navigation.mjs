/** The pages of the documentation in reading order, from `docs/navigation.json`, and where each of them is served. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * @typedef {object} Page
 * @property {string} file From the root of the repository: `docs/api.md`.
 * @property {string} title The short one, for the navigation.
 * @property {string} group
 * @property {string} about What the pages of its group are about, where they don't say it themselves.
 * @property {string} url `/docs/api`
 * @property {string} sourceUrl Where the markdown is served: `/docs/api.md`. Relative links between pages of `docs/` hold there.
 */

export const NAVIGATION = 'docs/navigation.json';

/** @returns {{pages: Page[], missing: string[]}} `missing`: files that are named and not there. */
export function readNavigation(root) {
  const { groups } = JSON.parse(readFileSync(join(root, NAVIGATION), 'utf8'));
  const named = groups.flatMap((group) => group.pages.map((entry) => pageOf(entry, group)));
  const isThere = (page) => existsSync(join(root, page.file));
  return {
    pages: named.filter(isThere),
    missing: named.filter((page) => !isThere(page)).map((page) => page.file),
  };
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
