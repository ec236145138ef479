import { DROP_INS, type DropIn } from '@trawl/providers';
import { readerDropIn } from '../../packages/server/src/drop-in/reader.ts';
import { code, table } from './tables.ts';

/** What becomes of each documented parameter of a vendor's routes. */
function parameterTable({ routes }: DropIn): string {
  const rows = routes.flatMap(({ method, path, parameters }) =>
    parameters.map(({ name, use, meaning }) => [
      code(`${method} ${path}`),
      code(name),
      use,
      meaning,
    ]),
  );
  return table(['Route', 'Parameter', 'Use', 'What it becomes, or why not'], rows);
}

/** Tables of the drop-in routes, by the name in their markers. */
export const DROP_IN_TABLES: Readonly<Record<string, () => string>> = Object.fromEntries(
  [...DROP_INS, readerDropIn].map((dropIn) => [
    `drop-in-${dropIn.slug}`,
    () => parameterTable(dropIn),
  ]),
);
