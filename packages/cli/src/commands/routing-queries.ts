import { systemClock } from '@trawl/base';
import { commandHere } from '@trawl/client/terminal/manifest';
import { note, print } from '@trawl/client/terminal/output';
import type { AskedQuery } from '@trawl/store';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { readDays } from './routing-report.ts';

/** `trawl routing queries` */
export function addRoutingQueries(routing: Command, { runtime }: ServerEntry): void {
  routing
    .command('queries')
    .description('print what keys searched for that allow it, as a set for trawl evaluate')
    .option('--days <n>', 'how many days back', '30')
    .option('--project <name>', 'project of the keys', 'default')
    .option('--keys <list>', 'comma list of ids of keys; all that allow it when absent')
    .action(async (options) => printQueries(await runtime(), options));
}

interface QueriesOptions {
  readonly days: string;
  readonly project: string;
  readonly keys?: string;
}

/** What a set for an evaluation may hold. */
const CHARACTERS = 2_000;

/**
 * What keys searched for that allow it, as a set for `trawl evaluate`.
 * Each query is there once.
 */
async function printQueries(runtime: Runtime, options: QueriesOptions): Promise<void> {
  const days = readDays(options.days);
  const { lastDays } = await import('@trawl/console-api/routing-report');
  const { withDatabase } = await import('../keys/key-database.ts');
  const span = lastDays(systemClock.now(), days);
  await withDatabase(runtime, { mayCreate: false, isQuiet: true }, async ({ keys, runs }) => {
    const project = (await keys.listProjects()).find(({ name }) => name === options.project);
    if (!project) {
      const list = `${commandHere()} projects list`;
      throw new Error(`no project is called ${options.project}; see: ${list}`);
    }
    const all = await keys.listKeys(project.id);
    const allowed = all.filter(({ profile }) => profile?.evaluation === true).map(({ id }) => id);
    const ids = chosenKeys(options, allowed);
    const lines = new Map<string, string>();
    let tooLong = 0;
    for await (const page of runs.asked(ids, span)) {
      for (const asked of page) {
        if (asked.query.trim().length > CHARACTERS) tooLong += 1;
        else lines.set(sameQuery(asked), lineOf(asked));
      }
    }
    for (const line of lines.values()) print(`${line}\n`);
    if (lines.size === 0) note(`no query was recorded in ${options.days} days\n`);
    if (tooLong > 0) note(`left out: ${tooLong} of more than ${CHARACTERS} characters\n`);
  });
}

/** @throws Error where no key allows it, or a named one does not */
function chosenKeys(
  { project, keys }: QueriesOptions,
  allowed: readonly string[],
): readonly string[] {
  const remedy = `a key allows it with "evaluation": true in its profile; see: ${commandHere()} keys profile ID`;
  if (keys === undefined) {
    if (allowed.length > 0) return allowed;
    throw new Error(`no key of project ${project} allows the use of its queries: ${remedy}`);
  }
  const named = keys.split(',').map((id) => id.trim());
  const refused = named.find((id) => !allowed.includes(id));
  if (refused === undefined) return named;
  throw new UsageError(
    `--keys: ${refused} is not a key of project ${project} whose queries may be used: ${remedy}`,
  );
}

const sameQuery = ({ query, filters }: AskedQuery): string =>
  JSON.stringify([query.trim(), filters]);

const lineOf = ({ query, topic, filters }: AskedQuery): string =>
  JSON.stringify({
    query: query.trim(),
    ...(topic === null ? {} : { topic }),
    ...(filters === null ? {} : { filters }),
  });
