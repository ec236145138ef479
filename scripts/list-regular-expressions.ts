/**
 * `npm run regular-expressions`: records how each regular expression of the sources is proven to
 * take linear time, so that a test run proves only new ones. `test/regular-expressions.test.ts`
 * fails for one that is neither proven nor an exception.
 */
import { writeFileSync } from 'node:fs';
import { PROOFS, proveSources } from '../test/regular-expressions/prove-sources.ts';

const { record } = await proveSources();
const note = '# Made by `npm run regular-expressions`.';
writeFileSync(PROOFS, [note, ...record, ''].join('\n'));
console.log(`${record.length - 1} proofs in ${PROOFS}`);
