import type { FetchProviderEntry, PreprocessorEntry } from '@trawl/client';
import { type CommonFlags, run } from '@trawl/client/terminal/command';
import { print, printJson, yesNo } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import { rowsText } from '../program/table.ts';

/** `trawl providers`: the providers of the server. Needs no key. */
export const listProviders = (
  environment: Environment,
  flags: CommonFlags & { readonly fetch?: boolean; readonly resetHealth?: string },
) =>
  run(environment, flags, async ({ client, out, signal }) => {
    if (flags.resetHealth !== undefined) {
      const report = await client.resetProviderHealth(flags.resetHealth, { signal });
      if (flags.json) printJson(report);
      else print(`${report.provider}: ${report.state}\n`);
      return 0;
    }
    if (flags.fetch) {
      const roster = await client.fetchProviders({ signal });
      if (flags.json) printJson(roster);
      else print(fetchTable(roster.fetch_providers, out));
      return 0;
    }
    const roster = await client.preprocessors({ signal });
    if (flags.json) printJson(roster);
    else print(searchTable(roster.preprocessors, out));
    return 0;
  });

/** Of a provider that answers without a key. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  never: 'no',
  when_named: 'if named',
  always: 'no key',
};

const setUpText = ({
  configured,
  keyless,
}: Pick<FetchProviderEntry, 'configured' | 'keyless'>): string =>
  keyless ? (WITHOUT_KEY[keyless.runs] ?? 'no') : yesNo(configured);

const searchTable = (entries: readonly PreprocessorEntry[], style: Style): string =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['configured', 12],
      ['by default', 12],
      ['most results', 14],
      ['auto-routed', 13],
      ['health', 10],
      ['never supplies', 0.99, 'wraps'],
    ],
    entries.map((entry) => [
      entry.slug,
      setUpText(entry),
      yesNo(entry.active_by_default),
      String(entry.max_results ?? 'any'),
      yesNo(entry.auto_routable),
      entry.health.state,
      entry.unsupported_fields.join(', '),
    ]),
  );

const fetchTable = (entries: readonly FetchProviderEntry[], style: Style): string =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['configured', 12],
      ['in the chain', 14],
      ['formats', 18],
      ['never supplies', 0.99, 'wraps'],
    ],
    entries.map((entry) => [
      entry.name,
      setUpText(entry),
      entry.chain_position === null ? 'no' : String(entry.chain_position),
      entry.content_formats.join(', '),
      entry.unsupported_fields.join(', '),
    ]),
  );
