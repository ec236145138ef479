import { isElement, lineOf, type PageElement } from '../dom/dom.ts';

/**
 * Presentation MathML as TeX: fractions, roots, scripts, tables and fences; of anything else the
 * text.
 */
export function texOf(element: PageElement): string {
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
