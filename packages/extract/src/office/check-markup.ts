import { Parser } from 'htmlparser2';
import { beyondLimit, checkLimits, counted, PAGE_LIMITS } from '../input/page-limits.ts';
import { textOf } from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

/** What is checked; libraries get no other part. */
const MARKUP = /\.(?:xml|rels)$/i;

/**
 * Checks all XML of an Office document, before a library makes trees of it: how many elements it
 * has, how deep they are, and that it declares no entities, which Office documents must not
 * (ECMA-376 part 2, 6.2.4).
 * @returns the parts that are XML
 * @throws the error of a page above a limit, or of a document that declares something
 */
export function checkMarkup(parts: ArchiveParts): ArchiveParts {
  const names = new Set<string>();
  let elements = 0;
  let depth = 0;
  const handler = {
    onopentag: (name: string) => {
      names.add(name);
      if (names.size > NAMES_MAX)
        throw beyondLimit(`more than ${counted(NAMES_MAX)} names of elements`);
      elements += 1;
      depth += 1;
      checkLimits(elements, 0);
      if (depth > PAGE_LIMITS.archiveDepth)
        throw beyondLimit(`elements nested deeper than ${PAGE_LIMITS.archiveDepth}`);
    },
    onclosetag: () => {
      depth -= 1;
    },
    onprocessinginstruction: (name: string) => {
      if (name.toLowerCase() === '!doctype') throw new Error('declares a type of document');
    },
  };
  const bytes = new Map([...parts.bytes].filter(([name]) => MARKUP.test(name)));
  for (const name of bytes.keys()) {
    depth = 0;
    new Parser(handler, { xmlMode: true, decodeEntities: false }).end(textOf(parts, name));
  }
  return { ...parts, bytes };
}

/** All standards of Office have fewer; a library compares each unknown one with all others. */
const NAMES_MAX = 2_000;
