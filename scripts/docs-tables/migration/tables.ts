import { code, table } from '../tables.ts';
import { BRAVE_MIGRATIONS } from './brave.ts';
import { EXA_MIGRATIONS } from './exa.ts';
import { leavesOf, type Migration } from './mapping.ts';
import { TAVILY_MIGRATIONS } from './tavily.ts';

export const MIGRATIONS: readonly Migration[] = [
  ...EXA_MIGRATIONS,
  ...BRAVE_MIGRATIONS,
  ...TAVILY_MIGRATIONS,
];

const written = (value: object): string =>
  leavesOf(value)
    .map(([path, leaf]) => code(`${path}: ${JSON.stringify(leaf)}`))
    .join(', ');

function tablesOf({ vendor, route, requests, responses }: Migration) {
  const name = `${vendor}-${route}`;
  return [
    [
      `requests-${name}`,
      () =>
        table(
          ['What the vendor gets', 'What you send to trawl'],
          requests.map(({ sends, ask }) => [written(sends), written(ask)]),
        ),
    ],
    [
      `responses-${name}`,
      () =>
        table(
          ['In the vendor’s answer', 'In a run of trawl’s'],
          responses.map(({ theirs, ours }) => [
            code(theirs),
            code(ours.startsWith('raw_payload') ? ours : `output_payload.${ours}`),
          ]),
        ),
    ],
  ] as const;
}

/** The mapping tables of the pages "Coming from …", by the name in their markers. */
export const MIGRATION_TABLES: Readonly<Record<string, () => string>> = Object.fromEntries(
  MIGRATIONS.flatMap(tablesOf),
);
