import { DROP_INS, type DropIn } from '@trawl/drop-ins';
import { code, table } from './tables.ts';

/**
 * What becomes of each documented parameter of a vendor's routes. Routes with the same parameters
 * share their rows.
 */
function parameterTable({ routes }: DropIn): string {
  const tables = routes.map(({ parameters }) => JSON.stringify(parameters));
  const rows = routes.flatMap(({ parameters }, index) => {
    const own = tables[index];
    if (tables.indexOf(own ?? '') < index) return [];
    const equal = routes.filter((_, at) => tables[at] === own);
    const names = equal.map(({ method, path }) => code(`${method} ${path}`)).join(', ');
    return parameters.map(({ name, use, meaning }) => [names, code(name), use, meaning]);
  });
  return table(['Route', 'Parameter', 'Use', 'What it becomes, or why not'], rows);
}

/** Faults that every vendor has, by our status. */
const FAULTS: readonly (readonly [number, string])[] = [
  [401, 'missing or wrong key'],
  [403, 'a key without the permission'],
  [402, 'a used-up budget'],
  [422, 'a parameter that is refused, such as more than 20 rows'],
  [429, 'the rate limit, with `Retry-After`'],
  [503, 'no free place, or no store, with `Retry-After`'],
  [502, 'all providers failed'],
];

/** The status with which each vendor's shape reports a fault. */
function faultTable(): string {
  const rows = FAULTS.map(([status, fault]) => [
    fault,
    ...DROP_INS.map((dropIn) => {
      const shown = dropIn.fault({ status, message: fault, requestId: '' });
      return String(shown.status ?? status);
    }),
  ]);
  return table(['Fault', ...DROP_INS.map(({ slug }) => code(slug))], rows);
}

/** Tables of the drop-in routes, by the name in their markers. */
export const DROP_IN_TABLES: Readonly<Record<string, () => string>> = {
  'drop-in-faults': faultTable,
  ...Object.fromEntries(
    DROP_INS.map((dropIn) => [`drop-in-${dropIn.slug}`, () => parameterTable(dropIn)]),
  ),
};
