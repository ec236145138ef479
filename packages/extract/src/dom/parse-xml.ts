import { decodeHTMLStrict } from 'entities';
import { Parser } from 'htmlparser2';
import { checkLimits } from '../input/page-limits.ts';
import { capDepth } from './cap-depth.ts';
import type { PageDocument } from './dom.ts';
import { indexed } from './index-tree.ts';
import { appendText, createElement, type TreeNode } from './tree.ts';

interface XmlTree {
  readonly root: TreeNode;
  /** Whether each element has its end tag. */
  readonly isClosed: boolean;
}

/**
 * Parses a page that is served as XHTML; null when it is not well-formed. Browsers show the start
 * of such a page and an error; as HTML all of it can be read.
 * @throws the error of a page above a limit: too many elements, or nested too deep for the parser
 */
export function parseXhtml(source: string): PageDocument | null {
  const { root, isClosed } = parsed(withoutHtmlEntities(source));
  return isClosed && root.querySelector('body') ? indexed(root) : null;
}

/** Browsers know the entities of HTML in XHTML too, though XML has five. */
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)[a-z][a-z0-9]{1,31};/gi;

const withoutHtmlEntities = (source: string): string =>
  source.replace(ENTITY, (entity) => decodeHTMLStrict(entity));

/**
 * The tree of any XML, as far as it is well-formed. Elements are named without their prefixes,
 * which each program chooses. Entities that a document declares are not replaced.
 * @throws the error of a page above a limit
 */
export const parseXml = (source: string): TreeNode => parsed(source, localName).root;

/** Without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function parsed(source: string, nameOf = (name: string): string => name): XmlTree {
  const root = createElement('#document');
  const open: { readonly element: TreeNode; readonly end: number }[] = [];
  let elements = 0;
  let isClosed = true;
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        elements += 1;
        checkLimits(elements, open.length);
        const element = createElement(nameOf(name), attributes);
        (open.at(-1)?.element ?? root).append(element);
        open.push({ element, end: parser.endIndex });
      },
      onclosetag: (_name, isImplied) => {
        // an element that closes itself ends where its tag ends
        if (isImplied && open.at(-1)?.end !== parser.endIndex) isClosed = false;
        open.pop();
      },
      ontext: (text) => appendText(open.at(-1)?.element ?? root, text),
    },
    { xmlMode: true },
  );
  parser.end(source);
  capDepth(root);
  return { root, isClosed };
}
