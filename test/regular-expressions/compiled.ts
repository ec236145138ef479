import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Expression } from './find.ts';

/** The expressions that files make from texts: loads the files and records what they make. */
export async function compiledIn(root: string, paths: readonly string[]): Promise<Expression[]> {
  const made: Expression[] = [];
  const Original = RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct: (target, given: [string, string?]) => {
      const expression = new target(...given);
      const stack = new Error().stack ?? '';
      const path = stack.includes(root)
        ? paths.find((known) => stack.includes(join(root, known)))
        : undefined;
      const { source, flags } = expression;
      if (path) made.push({ path, source, flags, findsAll: flags.includes('g') });
      return expression;
    },
  });
  try {
    for (const path of paths) await import(pathToFileURL(join(root, path)).href);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}
