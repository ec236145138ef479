import { basename, extname } from 'node:path';
import type { CommandContext } from '@trawl/client/terminal/command';
import { readDocument } from '@trawl/client/terminal/documents';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { OPEN_SETS, type OpenSet, readOpenSet } from '../measure/open-sets.ts';
import {
  type QuerySet,
  readSetFile,
  type SetQuery,
  sampled,
  sha256Of,
} from '../measure/query-set.ts';
import { STARTER_SET, starterSet } from '../measure/starter-set.ts';
import { type RoutedQueries, routedQueries } from './routed-queries.ts';

const FETCH_LIMIT_MS = 60_000;

export interface ChosenSet extends QuerySet, RoutedQueries {}

export interface SetChoice {
  readonly file: string | undefined;
  readonly name: string | undefined;
  /** How many of its queries to draw; undefined = all. */
  readonly sample: number | undefined;
  readonly seed: number;
}

/** @throws CommandError naming line and column of a fault, or the hash that does not fit */
export async function chosenSet(
  context: CommandContext,
  { file, name, sample, seed }: SetChoice,
): Promise<ChosenSet> {
  if ((file === undefined) === (name === undefined)) {
    throw wrongUse('name either a file of queries, or a set with --set');
  }
  const set =
    file === undefined ? await namedSet(name ?? '', context.signal) : await setOfFile(file);
  const drawn = sample === undefined ? set.queries : sampled(set.queries, sample, seed);
  return { ...set, ...(await routedQueries(context, drawn)) };
}

async function setOfFile(file: string): Promise<QuerySet> {
  const text = await readDocument(file);
  const queries = faultsNamed(file, () => readSetFile(text));
  return { name: basename(file, extname(file)), sha256: sha256Of(text), queries, origin: null };
}

async function namedSet(name: string, signal: AbortSignal): Promise<QuerySet> {
  if (name === STARTER_SET) return starterSet();
  const set = OPEN_SETS.find((one) => one.name === name);
  if (set === undefined) {
    const known = [STARTER_SET, ...OPEN_SETS.map((one) => one.name)].join(', ');
    throw wrongUse(`--set: ${name} is unknown; the sets are ${known}`);
  }
  const text = await fetchedText(set, signal);
  const queries = faultsNamed('--set', () => readOpenSet(set, text));
  const { sha256, source, licence } = set;
  return { name, sha256, queries, origin: { source, licence } };
}

async function fetchedText({ name, url, bytes }: OpenSet, signal: AbortSignal): Promise<string> {
  const limits = AbortSignal.any([signal, AbortSignal.timeout(FETCH_LIMIT_MS)]);
  try {
    const response = await fetch(url, { signal: limits, redirect: 'error' });
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    const text = await response.text();
    // a hash over something else says less than its size
    if (Buffer.byteLength(text) !== bytes) throw new Error(`it has not ${bytes} bytes`);
    return text;
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      EXIT.unreachable,
      'set_unreachable',
      `--set: ${name} cannot be fetched from ${url}: ${reason}`,
      'fetch it elsewhere, write it in the columns of a set, and name the file',
    );
  }
}

function faultsNamed(place: string, read: () => readonly SetQuery[]): readonly SetQuery[] {
  try {
    return read();
  } catch (error) {
    throw wrongUse(`${place}: ${error instanceof Error ? error.message : error}`);
  }
}

export const wrongUse = (message: string, remedy?: string): CommandError =>
  new CommandError(EXIT.usage, 'usage', message, remedy);
