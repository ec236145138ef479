/**
 * `npm run regular-expressions`: writes `regular-expressions.tsv`, every regular expression of the sources with how it was
 * proven to take linear time. `test/regular-expressions.test.ts` fails for one that is neither proven nor an exception.
 */
import { writeFileSync } from 'node:fs';
import { EXCEPTIONS, proveSources } from '../test/regular-expressions/prove-sources.ts';

const LIST = 'regular-expressions.tsv';

const { proofs } = await proveSources();
const rows = [...proofs].map(
  ([name, { proof }]) => `${name}\t${proof ?? `exception: ${EXCEPTIONS.get(name)}`}`,
);
writeFileSync(LIST, ['file\texpression\tproof', ...rows, ''].join('\n'));
console.log(`${rows.length} expressions in ${LIST}`);
