import type { InteractionDiff } from '@trawl/client';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { costText, counted, print, printJson } from '@trawl/client/terminal/output';
import { type Environment, oneLine, type Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { API_JSON } from '../program/flags.ts';

/** `trawl diff` */
export function addDiff(program: Command, environment: Environment): void {
  program
    .command('diff <before> <after>')
    .description('what differs between two searches, by query and provider')
    .option('--json', API_JSON)
    .action((before: string, after: string, flags) => showDiff(environment, before, after, flags));
}

type RunDiff = InteractionDiff['queries'][number]['runs'][number];

/** `trawl diff`: what differs between two searches. */
const showDiff = (environment: Environment, before: string, after: string, flags: CommonFlags) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const diff = await client.diff(before, after, { signal });
    if (flags.json) printJson(diff);
    else print(diffText(diff, out));
    return 0;
  });

/** For each query and provider a line with counts, then one for each row that differs. */
export function diffText({ queries }: InteractionDiff, style: Style): string {
  const lines = queries.flatMap(({ before, after, runs }) => [
    style.bold(oneLine(before === after ? (after ?? '') : `${before ?? '–'} → ${after ?? '–'}`)),
    ...runs.flatMap((run) => [`  ${runLine(run)}`, ...rowLines(run, style)]),
  ]);
  return lines.map((line) => `${line}\n`).join('');
}

function runLine({ provider, before, after, ...rows }: RunDiff): string {
  if (before === null) return `${provider}  ran only in the later search`;
  if (after === null) return `${provider}  ran only in the earlier search`;
  const facts = [
    ...(before.status === after.status ? [] : [`${before.status} → ${after.status}`]),
    changesText(rows),
    `${time(before)} → ${time(after)}`,
    `${costText(before.cost_usd)} → ${costText(after.cost_usd)}`,
  ];
  return `${provider}  ${facts.join(', ')}`;
}

type Rows = Pick<RunDiff, 'added' | 'gone' | 'moved' | 'changed' | 'same'>;

/** `2 added, 1 gone, 3 moved, 1 changed, 4 the same` */
export const changesText = ({ added, gone, moved, changed, same }: Rows): string =>
  `${added.length} added, ${gone.length} gone, ${moved.length} moved, ${changed.length} changed, ${same} the same`;

const time = ({ latency_ms: ms }: { readonly latency_ms: number | null }): string =>
  ms === null ? 'not sent' : `${ms} ms`;

function rowLines({ added, gone, moved, changed }: RunDiff, style: Style): string[] {
  const named = (url: string, title: string | null) => oneLine(title ? `${url} ${title}` : url);
  return [
    ...added.map(({ url, title, rank }) => style.good(`    + ${rank} ${named(url, title)}`)),
    ...gone.map(({ url, title, rank }) => style.bad(`    - ${rank} ${named(url, title)}`)),
    ...moved.map(({ url, title, from, to }) => `    ${from} → ${to} ${named(url, title)}`),
    ...changed.map(({ url, texts, title }) => {
      const titles = title ? ` ${title.before ?? '–'} → ${title.after ?? '–'}` : '';
      return style.warning(`    ~ ${oneLine(`${url} ${texts.join(', ')}${titles}`)}`);
    }),
  ];
}

/** The sums of all queries and providers. */
export function totalsText({ queries }: InteractionDiff): string {
  const runs = queries.flatMap((query) => query.runs);
  const total: Rows = {
    added: runs.flatMap(({ added }) => added),
    gone: runs.flatMap(({ gone }) => gone),
    moved: runs.flatMap(({ moved }) => moved),
    changed: runs.flatMap(({ changed }) => changed),
    same: runs.reduce((sum, { same }) => sum + same, 0),
  };
  return `${counted(runs.length, 'run')}: ${changesText(total)}`;
}
