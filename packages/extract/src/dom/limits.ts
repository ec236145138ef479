import { beyondLimit, counted, PAGE_LIMITS } from '../input/page-limits.ts';

/** @throws the error of a page above a limit */
export function checkLimits(elements: number, depth: number): void {
  if (elements > PAGE_LIMITS.elements)
    throw beyondLimit(`more than ${counted(PAGE_LIMITS.elements)} elements`);
  if (depth > PAGE_LIMITS.depth)
    throw beyondLimit(`elements nested deeper than ${counted(PAGE_LIMITS.depth)}`);
}
