import { readFileSync } from 'node:fs';
import { ROUTES } from '@trawl/contract';
import { code, codes, table } from './tables.ts';

const SOURCES = new URL('../../clients/python/src/trawl/', import.meta.url);

/** Name and text of each public method of a class that has a file of its own. */
const methodsOf = (file: string, prefix = ''): (readonly [string, string])[] =>
  readFileSync(new URL(file, SOURCES), 'utf8')
    .split('\n    def ')
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('(')), text] as const)
    .filter(([name]) => !name.startsWith('_'))
    .map(([name, text]) => [prefix + name, text] as const);

const methods = [...methodsOf('client.py'), ...methodsOf('_admin.py', 'admin.')];

/**
 * The route in the text of a method, or of the method that it calls for each page; undefined
 * without one.
 */
function routeOf(text: string): string | undefined {
  const [, route] = /(?:Call|paid|_execute)\(\s*"(\w+)"/.exec(text) ?? [];
  if (route !== undefined) return route;
  const [, called] = /self\.([a-z]\w+)\(/.exec(text) ?? [];
  const other = methods.find(([name]) => name === called);
  return other && routeOf(other[1]);
}

const snake = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * The routes and the methods of the Python client that call them. Its tests check each by calling
 * it.
 */
export const PYTHON_TABLES: Readonly<Record<string, () => string>> = {
  'python-methods': () =>
    table(
      ['Route', 'Methods'],
      Object.entries(ROUTES).map(([id, { method, path }]) => {
        const names = methods
          .filter(([, text]) => routeOf(text) === snake(id))
          .map(([name]) => name);
        return [code(`${method} ${path}`), codes(names) || 'none'];
      }),
    ),
};
