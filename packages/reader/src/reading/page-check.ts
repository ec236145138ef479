import { diagnosePage } from '../diagnosis/diagnose.ts';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import { evidenceOf } from '../diagnosis/page-verdict.ts';
import type { PageCheck } from '../pages/page-reading.ts';
import type { Extractor } from '../pages/types.ts';

/**
 * Checks pages that vendors sent on the extractor's threads. A page without text is judged at once.
 */
export const createPageCheck = (extractor: Pick<Extractor, 'prepare' | 'diagnose'>): PageCheck => ({
  prepare: extractor.prepare,
  check: async (page, url, limits) => {
    const evidence = evidenceOf(page, url);
    if (hasText(evidence)) return extractor.diagnose(evidence, limits);
    const verdict = diagnosePage(evidence, []);
    return { kind: 'diagnosed', verdict, measure: null, quality: null, findings: [] };
  },
});

/** Whether a text has to be examined: a failed status is enough on its own. */
function hasText({ httpStatus, content, title, html }: PageEvidence): boolean {
  if (httpStatus !== null && (httpStatus < 200 || httpStatus >= 300)) return false;
  return content !== '' || title !== null || html !== null;
}
