import type { FetchProviderEntry, PlannedCall, PreprocessorEntry } from '@trawl/client';
import { isApiError, isTrawlError } from '@trawl/client/errors';
import { type CommandContext, type CommonFlags, run } from '@trawl/client/terminal/command';
import { costText, note, print, printJson, yesNo } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { API_JSON } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';

/** `trawl providers` */
export function addProviders(program: Command, environment: Environment): void {
  program
    .command('providers')
    .description('list the providers of the server; needs no key')
    .option('--fetch', 'list providers that read pages, instead of those that search')
    .option(
      '--reset-health <slug>',
      'forget that this provider is ill; needs the permission manage',
    )
    .option('--json', API_JSON)
    .action((flags) => listProviders(environment, flags));
}

/** `trawl providers`: the providers of the server. Needs no key; prices are those of a key. */
const listProviders = (
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
    else if ('fetch_providers' in roster) {
      const { fetch_providers: entries } = roster;
      const names = entries.filter(isAskable).map(({ name }) => name);
      print(await fetchTable(entries, await pricesOf(context, names, pagePrices), out));
    } else {
      const { preprocessors: entries } = roster;
      const names = entries.filter(isAskable).map(({ slug }) => slug);
      print(await searchTable(entries, await pricesOf(context, names, searchPrices), out));
    }
    return 0;
  });

type Prices = ReadonlyMap<string, number | null>;
type PriceSource = (context: CommandContext, names: readonly string[]) => Promise<PlannedCall[]>;

const searchPrices: PriceSource = async ({ client, signal }, include) => {
  const search = { providers: { include: [...include] }, fallback: 'off' as const };
  return (await client.searchDryRun({ query: 'price', search }, { signal })).calls;
};

/** One plan for each, since a plan has the first provider of a chain alone. */
const pagePrices: PriceSource = async ({ client, signal }, names) => {
  const found: PlannedCall[] = [];
  for (const name of names) {
    const request = { urls: ['https://example.com/'], options: { providers: [name] } };
    try {
      found.push(...(await client.fetchDryRun(request, { signal })).calls);
    } catch (error) {
      // some accept pages of certain sites only
      if (!isApiError(error) || error.status !== 400) throw error;
    }
  }
  return found;
};

/** What one call of each costs, by the server; empty without a key that may make it. */
async function pricesOf(
  context: CommandContext,
  names: readonly string[],
  planned: PriceSource,
): Promise<Prices> {
  const { environment, err } = context;
  if (!environment.SERVICE_API_KEY || names.length === 0) {
    if (err.isTerminal) note('prices are shown where SERVICE_API_KEY is set\n');
    return new Map();
  }
  try {
    const calls = await planned(context, names);
    return new Map(calls.map(({ provider, cost_usd: usd }) => [provider, usd]));
  } catch (error) {
    if (!isTrawlError(error)) throw error;
    note(`prices are not known: ${error.message}\n`);
    return new Map();
  }
}

const isAskable = ({
  configured,
  keyless,
}: Pick<FetchProviderEntry, 'configured' | 'keyless'>): boolean =>
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

/** For half of its calls of a day, where the key may see that. */
const latencyText = ({ figures }: Pick<FetchProviderEntry, 'figures'>): string =>
  figures?.p50_ms === undefined ? '–' : `${figures.p50_ms} ms`;

const searchTable = (
  entries: readonly PreprocessorEntry[],
  prices: Prices,
  style: Style,
): Promise<string> =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['kind', 13],
      ['key', 12],
      ['price', 10],
      ['default', 9],
      ['latency', 9],
      ['most rows', 11],
      ['health', 10],
    ],
    entries.map((entry) => [
      entry.slug,
      kindText(entry),
      keyText(entry),
      priceText(prices.get(entry.slug)),
      yesNo(entry.active_by_default),
      latencyText(entry),
      String(entry.max_results ?? 'any'),
      entry.health.state,
    ]),
  );

const fetchTable = (
  entries: readonly FetchProviderEntry[],
  prices: Prices,
  style: Style,
): Promise<string> =>
  rowsText(
    style,
    [
      ['provider', 15],
      ['kind', 13],
      ['key', 12],
      ['price', 10],
      ['latency', 9],
      ['in the chain', 14],
      ['formats', 18],
    ],
    entries.map((entry) => [
      entry.name,
      // its own reader is in its own documentation
      entry.docs_url.startsWith('/') ? 'of the server' : 'vendor',
      keyText(entry),
      priceText(prices.get(entry.name)),
      latencyText(entry),
      entry.chain_position === null ? 'no' : String(entry.chain_position),
      entry.content_formats.join(', '),
    ]),
  );
