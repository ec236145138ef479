import type { PageElement } from '../dom/dom.ts';

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const ALL_HIDDEN_STYLES = new RegExp(HIDDEN_STYLE, 'gi');
const HIDDEN_CLASS = /(?:^|\s)(?:hidden|hide|d-none|is-hidden)(?=\s|$)/;
/** Classes that hide only on some screens. */
const ON_SOME_SCREENS = /(?:^|\s)(?:sm|md|lg|x+l|d-(?:sm|md|lg|xl))[:-]/;

/** Whether an element is hidden at first. A page may still let its reader open it. */
export function isHidden(element: PageElement): boolean {
  if (element.hasAttribute('hidden')) return true;
  const classes = element.getAttribute('class');
  if (
    classes !== null &&
    mayHide(classes) &&
    HIDDEN_CLASS.test(classes) &&
    !ON_SOME_SCREENS.test(classes)
  )
    return true;
  const style = element.getAttribute('style');
  return style !== null && HIDDEN_STYLE.test(style);
}

/** Most classes have none of these letters, which is quick to see. */
const mayHide = (classes: string): boolean => classes.includes('hid') || classes.includes('d-none');

/** Takes away what hides an element. */
export function show(element: PageElement): void {
  element.removeAttribute('hidden');
  element.removeAttribute('aria-hidden');
  const style = element.getAttribute('style');
  if (style !== null) element.setAttribute('style', style.replaceAll(ALL_HIDDEN_STYLES, ''));
  const classes = element.getAttribute('class');
  if (classes !== null)
    element.setAttribute(
      'class',
      classes
        .split(/\s+/)
        .filter((name) => !HIDDEN_CLASS.test(name))
        .join(' '),
    );
}
