import { type FetchProviderEntry, isTrawlError, type PreprocessorEntry } from '@trawl/client';
import { type CommandContext, type CommonFlags, run } from '@trawl/client/terminal/command';
import { costText, note, print, printJson, yesNo } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import { rowsText } from '../program/table.ts';

/** `trawl providers`: the providers of the server. Needs no key; prices are those of a key. */
export const listProviders = (
  environment: Environment,
  flags: CommonFlags & { readonly fetch?: boolean; readonly resetHealth?: string },
) =>
  run(environment, flags, async (context) => {
    const { client, out, signal } = context;
    if (flags.resetHealth !== undefined) {
      const report = await client.resetProviderHealth(flags.resetHealth, { signal });
      if (flags.json) printJson(report);
      else print(`${report.provider}: ${report.state}\n`);
      return 0;
    }
    const roster = flags.fetch
      ? await client.fetchProviders({ signal })
      : await client.preprocessors({ signal });
    if (flags.json) printJson(roster);
    else if ('fetch_providers' in roster) print(fetchTable(roster.fetch_providers, out));
    else print(searchTable(roster.preprocessors, await pricesOf(context, roster), out));
    return 0;
  });

/** What one search of each costs, by the server; empty without a key that may search. */
async function pricesOf(
  { client, environment, err, signal }: CommandContext,
  { preprocessors }: { readonly preprocessors: readonly PreprocessorEntry[] },
): Promise<ReadonlyMap<string, number | null>> {
  const include = preprocessors.filter(isAskable).map(({ slug }) => slug);
  if (!environment.SERVICE_API_KEY || include.length === 0) {
    if (err.isTerminal) note('prices are shown where SERVICE_API_KEY is set\n');
    return new Map();
  }
  try {
    const search = { providers: { include }, fallback: 'off' as const };
    const { calls } = await client.searchDryRun({ query: 'price', search }, { signal });
    return new Map(calls.map(({ provider, cost_usd: usd }) => [provider, usd]));
  } catch (error) {
    if (!isTrawlError(error)) throw error;
    note(`prices are not known: ${error.message}\n`);
    return new Map();
  }
}

const isAskable = ({ configured, keyless }: PreprocessorEntry): boolean =>
  configured || (keyless !== undefined && keyless.runs !== 'never');

/** Of a provider that answers without a key. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  never: 'missing',
  when_named: 'if named',
  always: 'not needed',
};

function keyText({
  configured,
  keyless,
}: Pick<FetchProviderEntry, 'configured' | 'keyless'>): string {
  if (keyless) return WITHOUT_KEY[keyless.runs] ?? 'missing';
  return configured ? 'set' : 'missing';
}

function kindText({ docs_url: docs, requires_key: requiresKey }: PreprocessorEntry): string {
  if (docs === null) return 'your own';
  return requiresKey === false ? 'open source' : 'vendor';
}

/** undefined = it was not asked for. */
function priceText(usd: number | null | undefined): string {
  if (usd === undefined) return '–';
  return usd === 0 ? 'free' : costText(usd);
}

const searchTable = (
  entries: readonly PreprocessorEntry[],
  prices: ReadonlyMap<string, number | null>,
  style: Style,
): string =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['kind', 13],
      ['key', 12],
      ['price', 10],
      ['default', 9],
      ['most rows', 11],
      ['health', 10],
    ],
    entries.map((entry) => [
      entry.slug,
      kindText(entry),
      keyText(entry),
      priceText(prices.get(entry.slug)),
      yesNo(entry.active_by_default),
      String(entry.max_results ?? 'any'),
      entry.health.state,
    ]),
  );

const fetchTable = (entries: readonly FetchProviderEntry[], style: Style): string =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['key', 12],
      ['in the chain', 14],
      ['formats', 18],
    ],
    entries.map((entry) => [
      entry.name,
      keyText(entry),
      entry.chain_position === null ? 'no' : String(entry.chain_position),
      entry.content_formats.join(', '),
    ]),
  );
