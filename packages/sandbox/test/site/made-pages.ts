import type { SitePage } from '../../src/site/pages.ts';
import { BODIES } from './bodies.ts';
import { ENCODINGS } from './encodings.ts';
import about from './made-pages.json' with { type: 'json' };

const ANSWERS = { ...ENCODINGS, ...BODIES };

/** Pages whose bodies are made for each request; only tests of the site itself ask for them. */
export const MADE_PAGES: readonly SitePage[] = Object.entries(about).map(([path, about]) => ({
  path,
  about,
  answer:
    ANSWERS[path] ??
    (() => {
      throw new Error(`no answer for ${path}`);
    }),
}));
