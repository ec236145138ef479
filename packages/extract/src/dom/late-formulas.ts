import { isElement, type PageDocument, type PageElement, type PageNode } from './dom.ts';
import { createElement, unwrap } from './tree.ts';

/**
 * MathJax 2 keeps a formula in a script, and puts what it has drawn in front. Only the source
 * stays, as an element.
 */
export function showFormulas({ body, findAll }: PageDocument): void {
  for (const script of findAll('script[type]')) {
    const type = script.getAttribute('type') ?? '';
    if (!/^\s*math\/tex/i.test(type) || !body.contains(script)) continue;
    removeDrawn(script);
    const isBlock = /mode\s*=\s*display/i.test(type);
    const formula = createElement('math', { display: isBlock ? 'block' : 'inline' });
    formula.setAttribute('alttext', script.textContent);
    for (const node of script.childNodes) formula.append(node);
    script.append(formula);
    unwrap(script);
  }
}

function removeDrawn(script: PageElement): void {
  for (let at = script.previousSibling; at && isDrawn(at); at = script.previousSibling) at.remove();
}

const isDrawn = (node: PageNode): boolean =>
  isElement(node) && (node.getAttribute('class') ?? '').startsWith('MathJax');
