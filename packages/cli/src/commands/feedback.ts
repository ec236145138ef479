import type { FeedbackResponse, ResultFeedback, ResultVerdict } from '@trawl/client';
import { type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { note, print, printJson } from '@trawl/client/terminal/output';
import type { Environment, Style } from '@trawl/client/terminal/style';
import type { Command } from 'commander';
import { API_JSON } from '../program/flags.ts';
import { rowsText } from '../program/table.ts';

/** `trawl feedback` */
export function addFeedback(program: Command, environment: Environment): void {
  program
    .command('feedback <interaction>')
    .description('record which results were used, right or wrong; without any, show the feedback')
    .option('--used <url...>', 'results that were used in the work that followed')
    .option('--right <url...>', 'results that were checked and are right')
    .option('--wrong <url...>', 'results that are misleading or off the topic')
    .option('--provider <name>', 'count the feedback for this provider only')
    .option('--user <label>', 'label of who gave the feedback')
    .option('--note <text>', 'the reason')
    .option('--json', API_JSON)
    .action((interaction: string, flags) => giveFeedback(environment, interaction, flags));
}

interface FeedbackFlags extends CommonFlags {
  readonly used?: readonly string[];
  readonly right?: readonly string[];
  readonly wrong?: readonly string[];
  readonly provider?: string;
  readonly user?: string;
  readonly note?: string;
}

/**
 * `trawl feedback`: records which results were used, right or wrong; without any, shows the
 * feedback so far.
 */
const giveFeedback = (environment: Environment, interactionId: string, flags: FeedbackFlags) =>
  runWithKey(environment, flags, async ({ client, out, signal }) => {
    const results = verdictsOf(flags);
    const feedback = { results, user_id: flags.user, note: flags.note };
    const answer =
      results.length > 0
        ? await client.giveFeedback(interactionId, feedback, { signal })
        : await client.readFeedback(interactionId, { signal });
    if (flags.json) printJson(answer);
    else if (answer.results.length > 0) print(await feedbackText(answer, out));
    else note('This interaction does not have feedback yet.\n');
    return EXIT.ok;
  });

function verdictsOf(flags: FeedbackFlags): ResultVerdict[] {
  const { provider, user, note } = flags;
  const results = (['used', 'right', 'wrong'] as const).flatMap((verdict) =>
    (flags[verdict] ?? []).map((url) => ({ url, provider, verdict })),
  );
  const lacksResults = results.length === 0 && (provider ?? user ?? note) !== undefined;
  if (!lacksResults) return results;
  const message = '--provider, --user and --note need --used, --right or --wrong';
  throw new CommandError(EXIT.usage, 'usage', message);
}

function feedbackText({ results }: FeedbackResponse, style: Style): Promise<string> {
  return rowsText(
    style,
    [
      ['verdict', 9],
      ['provider', 14],
      ['query', 7],
      ['rank', 6],
      ['url', 0.6],
      ['note', 0.4],
    ],
    results.map(cells),
  );
}

const cells = ({ verdict, provider, batch_index, rank, url, note }: ResultFeedback): string[] => [
  verdict,
  provider,
  String(batch_index),
  String(rank),
  url ?? '',
  note ?? '',
];
