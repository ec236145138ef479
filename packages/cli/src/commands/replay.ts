import { isApiError } from '@trawl/client/errors';
import { type CommandContext, type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { EXIT, type ExitCode } from '@trawl/client/terminal/exit-codes';
import { costText, counted, note, print, printJson, sumOf } from '@trawl/client/terminal/output';
import type { Environment } from '@trawl/client/terminal/style';
import { confirm } from '@trawl/client/terminal/terminal';
import { isSearchInput } from '@trawl/contract/vocabulary';
import type { Command } from 'commander';
import { sessionOf } from '../client/named.ts';
import { planText } from '../client/plan-text.ts';
import { diffText, totalsText } from './diff.ts';

/** `trawl replay` */
export function addReplay(program: Command, environment: Environment): void {
  program
    .command('replay <interaction>')
    .description('run a recorded search again with the providers of today, and show what differs')
    .option('--session', 'the id is that of a session: replay all its searches, the price first')
    .option('--dry-run', 'show the price; nothing is called')
    .option('--yes', 'replay a session without a question')
    .option('--json', 'print JSON: what differs, one object for each search')
    .action((interaction: string, flags) => replay(environment, interaction, flags));
}

interface ReplayFlags extends CommonFlags {
  readonly session?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** `trawl replay`: a recorded search again, or all of a session, and what differs. */
const replay = (environment: Environment, id: string, flags: ReplayFlags) =>
  runWithKey(environment, flags, (context) =>
    flags.session ? replaySession(context, id, flags) : replayOne(context, id, flags),
  );

async function replayOne(
  context: CommandContext,
  id: string,
  flags: ReplayFlags,
): Promise<ExitCode> {
  const { client, out, signal } = context;
  if (flags.dryRun) {
    const plan = await client.replayDryRun(id, { signal });
    if (flags.json) printJson(plan);
    else print(await planText(context, plan));
    return EXIT.ok;
  }
  const answer = await client.replay(id, { signal });
  const diff = await client.diff(id, answer.interaction_id, { signal });
  if (flags.json) printJson(diff);
  else {
    note(`interaction ${answer.interaction_id} of session ${answer.session_id}\n`);
    print(diffText(diff, out));
  }
  return answer.status === 'failed' ? EXIT.failed : EXIT.ok;
}

interface Planned {
  readonly id: string;
  /** null = not known. */
  readonly usd: number | null;
}

async function replaySession(
  context: CommandContext,
  session: string,
  flags: ReplayFlags,
): Promise<ExitCode> {
  const { client, signal } = context;
  const sessionId = await sessionOf(context, session);
  const { planned, skipped } = await planSession(context, sessionId);
  note(priceText(planned, skipped));
  if (flags.dryRun || planned.length === 0) {
    const total_usd = totalOf(planned);
    if (flags.json) printJson({ interactions: planned.map(({ id }) => id), skipped, total_usd });
    return EXIT.ok;
  }
  if (!flags.yes) await confirm('Replay them?', 'not replayed', 'replays them');
  let failed = 0;
  for (const { id } of planned) {
    const answer = await client.replay(id, { signal });
    const diff = await client.diff(id, answer.interaction_id, { signal });
    if (answer.status === 'failed') failed += 1;
    if (flags.json) printJson(diff);
    else print(`${id}\t${answer.interaction_id}\t${answer.status}\t${totalsText(diff)}\n`);
  }
  return failed > 0 ? EXIT.failed : EXIT.ok;
}

/** The searches of a session that can be asked again, without those that are replays. */
async function planSession(
  { client, signal }: CommandContext,
  sessionId: string,
): Promise<{ readonly planned: readonly Planned[]; readonly skipped: number }> {
  const planned: Planned[] = [];
  let skipped = 0;
  for await (const { id, user_input: input, metadata } of client.history(
    sessionId,
    { type: 'full' },
    { signal },
  )) {
    if (!isSearchInput(input) || metadata?.replay_of !== undefined) continue;
    try {
      const { total_usd: usd } = await client.replayDryRun(id, { signal });
      planned.push({ id, usd });
    } catch (error) {
      if (!isApiError(error) || error.status !== 409) throw error;
      skipped += 1;
    }
  }
  return { planned, skipped };
}

function priceText(planned: readonly Planned[], skipped: number): string {
  const left = skipped === 0 ? '' : `; ${searches(skipped)} without a kept request`;
  return `${searches(planned.length)} to replay, for about ${costText(totalOf(planned))}${left}\n`;
}

const searches = (count: number): string => counted(count, 'search', 'searches');

const totalOf = (planned: readonly Planned[]) => sumOf(planned.map(({ usd }) => usd));
