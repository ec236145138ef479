import { Parser } from 'htmlparser2';
import { checkLimits } from '../dom/limits.ts';
import { beyondLimit, PAGE_LIMITS } from '../input/page-limits.ts';
import { textOf } from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

/**
 * Checks all XML of an Office document, before a library makes trees of it: how many elements it
 * has, how deep they are, and that it declares no entities, which Office documents must not
 * (ECMA-376 part 2, 6.2.4).
 * @throws the error of a page above a limit, or of a document that declares something
 */
export function checkMarkup(parts: ArchiveParts): void {
  let elements = 0;
  let depth = 0;
  const handler = {
    onopentag: () => {
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
  for (const name of parts.bytes.keys()) {
    depth = 0;
    new Parser(handler, { xmlMode: true, decodeEntities: false }).end(textOf(parts, name));
  }
}
