import { ERROR_STATUSES, VALIDATION_TYPES } from '@trawl/contract';
import { code, table } from './tables.ts';
import { VALIDATION_EXAMPLES } from './validation-examples.ts';

/** What `asked` means for records and cost: nothing is recorded before providers are called. */
const ASKED = {
  no: 'no',
  yes: 'yes',
  maybe: 'see below',
} as const;

/** The generated parts of the page on errors, by the name in their markers. */
export const ERROR_TABLES: Readonly<Record<string, () => string>> = {
  statuses: () =>
    table(
      ['Status', 'Meaning', 'Recorded, billed', 'Send it again?'],
      Object.entries(ERROR_STATUSES).map(([status, { meaning, asked, retry }]) => [
        status,
        meaning,
        ASKED[asked],
        retry,
      ]),
    ),
  'validation-types': () =>
    table(
      ['`type`', 'For example', '`loc`'],
      VALIDATION_TYPES.map((type) => {
        const { method, path, body, shown, loc } = VALIDATION_EXAMPLES[type];
        const request = shown ?? body ?? `${method} ${path}`;
        return [
          code(type),
          shown === undefined ? code(request) : request,
          code(JSON.stringify(loc)),
        ];
      }),
    ),
};
