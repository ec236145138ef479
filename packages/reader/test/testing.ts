/** What tests of other packages need of this one, and nothing else does. */
export { diagnosePage } from '../src/diagnosis/diagnose.ts';
export {
  type PageFamily,
  pageFamilies,
  pageFamilyRows,
} from '../src/diagnosis/page-families.ts';
export type { PageRule } from '../src/diagnosis/page-rules.ts';
export { isAllowedByRobots, parseRobots } from '../src/robots/parse-robots.ts';
export { createRobots } from '../src/robots/robots.ts';
export * from './browser-support/browsers.ts';
export { localDownloader } from './support.ts';
