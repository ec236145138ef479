import { lineOf, type PageElement } from '../dom/dom.ts';
import { texOf } from './mathml.ts';
import type { Writing } from './writing.ts';

export interface Formula {
  readonly tex: string;
  /** Whether it is on a line of its own. */
  readonly isBlock: boolean;
}

/**
 * A formula of MathML, KaTeX, MathJax or a server that draws TeX; undefined for any other element.
 */
export function formulaOf(element: PageElement): Formula | undefined {
  const name = element.localName;
  const classes = element.getAttribute('class') ?? '';
  if (name === 'math') return ofMath(element, element.getAttribute('display') === 'block');
  if (name === 'mjx-container')
    return ofMath(element.querySelector('math'), element.getAttribute('display') === 'true');
  if (!/math|katex|tex/i.test(classes)) return undefined;
  if (classes.startsWith('MathJax'))
    return ofMath(element.querySelector('math'), classes.includes('_Display'));
  if (name === 'img') return DRAWN.test(classes) ? ofImage(element, classes) : undefined;
  if (/(?:^|\s)katex(?:-display)?(?:\s|$)/.test(classes))
    return ofMath(element.querySelector('math'), classes.includes('katex-display'));
  if (classes.includes('mwe-math-element')) return ofDrawn(element);
  return /(?:^|\s)(?:math|arithmatex)(?:\s|$)/.test(classes) ? ofMarkedText(element) : undefined;
}

export function formulaText({ tex, isBlock }: Formula, { isMarkdown }: Writing): string {
  if (!isMarkdown) return tex;
  return isBlock ? `$$${tex}$$` : `$${tex}$`;
}

const DISPLAY_STYLE = '{\\displaystyle ';

/** An encyclopedia puts each formula into a group with a style of its own. */
function formula(source: string, isBlock: boolean): Formula | undefined {
  const line = lineOf(source);
  const isStyled = line.startsWith(DISPLAY_STYLE) && line.endsWith('}');
  const tex = isStyled ? line.slice(DISPLAY_STYLE.length, -1).trim() : line;
  return tex === '' ? undefined : { tex, isBlock };
}

function ofMath(math: PageElement | null, isBlock: boolean): Formula | undefined {
  if (!math) return undefined;
  const source = math
    .querySelectorAll('annotation')
    .find((note) => /tex/i.test(note.getAttribute('encoding') ?? ''))?.textContent;
  return formula(source ?? math.getAttribute('alttext') ?? texOf(math), isBlock);
}

/**
 * Classes of images that an encyclopedia and a weblog service draw of the TeX in their
 * description.
 */
const DRAWN = /(?:^|\s)(?:mwe-math-fallback-image-(?:inline|display)|latex|tex)(?:\s|$)/;

/** An encyclopedia writes a formula twice: as MathML and as an image of it. */
function ofDrawn(element: PageElement): Formula | undefined {
  const image = element.querySelector('img');
  const drawn = image ? ofImage(image, image.getAttribute('class') ?? '') : undefined;
  return drawn ?? ofMath(element.querySelector('math'), false);
}

const ofImage = (image: PageElement, classes: string): Formula | undefined =>
  formula(image.getAttribute('alt') ?? '', classes.includes('-display'));

/** Generators of documents write `\(x\)` and `\[x\]`, which a script replaces. */
function ofMarkedText(element: PageElement): Formula | undefined {
  const text = element.textContent.trim();
  if (text.startsWith('\\(') && text.endsWith('\\)')) return formula(text.slice(2, -2), false);
  if (text.startsWith('\\[') && text.endsWith('\\]')) return formula(text.slice(2, -2), true);
  return undefined;
}
