import { isElement, lineOf, type PageElement } from '../dom/dom.ts';
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

/**
 * Presentation MathML as TeX: fractions, roots, scripts, tables and fences; of anything else the
 * text.
 */
function texOf(element: PageElement): string {
  const parts = element.children.map(texOf);
  const [first = '', second = '', third = ''] = parts;
  const group = (at: number): string => `{${parts[at] ?? ''}}`;
  switch (element.localName) {
    case 'mi':
    case 'mn':
      return lineOf(element.textContent);
    case 'mo':
      return ` ${lineOf(element.textContent)} `;
    case 'mtext':
    case 'ms':
      return `\\text{${lineOf(element.textContent)}}`;
    case 'mspace':
      return ' ';
    case 'mfrac':
      return `\\frac${group(0)}${group(1)}`;
    case 'msqrt':
      return `\\sqrt{${parts.join('')}}`;
    case 'mroot':
      return `\\sqrt[${second}]{${first}}`;
    case 'msup':
    case 'mover':
      return `${base(first)}^${group(1)}`;
    case 'msub':
    case 'munder':
      return `${base(first)}_${group(1)}`;
    case 'msubsup':
    case 'munderover':
      return `${base(first)}_${group(1)}^{${third}}`;
    case 'mfenced':
      return fenced(element, parts);
    case 'mtable':
      return `\\begin{matrix}${parts.join(' \\\\ ')}\\end{matrix}`;
    case 'mtr':
      return parts.join(' & ');
    case 'semantics':
      return first;
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return '';
    default:
      return parts.length > 0 ? parts.join('') : textOf(element);
  }
}

/** What a script is at: a letter as it is, anything longer in braces. */
function base(tex: string): string {
  const bare = tex.trim();
  return [...bare].length <= 1 ? bare : `{${bare}}`;
}

function fenced(element: PageElement, parts: readonly string[]): string {
  const open = element.getAttribute('open') ?? '(';
  const close = element.getAttribute('close') ?? ')';
  return `${open}${parts.join(', ')}${close}`;
}

const textOf = (element: PageElement): string =>
  element.childNodes.some(isElement) ? '' : lineOf(element.textContent);
