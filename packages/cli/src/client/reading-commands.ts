import type { Environment } from '@trawl/client/terminal/style';
import type { Command } from 'commander';

const JSON_HELP = "print the API's answer";
const JSONL_HELP = 'print one JSON object per line, as they are read';

/** The commands that read what a server has and how it is configured. */
export function addReadingCommands(program: Command, environment: Environment): void {
  addSessions(program, environment);
  program
    .command('feedback <interaction>')
    .description('record which results were used, right or wrong; without any, show the feedback')
    .option('--used <url...>', 'results that were used in the work that followed')
    .option('--right <url...>', 'results that were checked and are right')
    .option('--wrong <url...>', 'results that are misleading or off the topic')
    .option('--provider <name>', 'count the feedback for this provider only')
    .option('--user <label>', 'label of who gave the feedback')
    .option('--note <text>', 'the reason')
    .option('--json', JSON_HELP)
    .action(async (interaction: string, flags) =>
      (await import('./feedback.ts')).giveFeedback(environment, interaction, flags),
    );
  program
    .command('providers')
    .description('list the providers of the server; needs no key')
    .option('--fetch', 'list providers that read pages, instead of those that search')
    .option(
      '--reset-health <slug>',
      'forget that this provider is ill; needs the permission manage',
    )
    .option('--json', JSON_HELP)
    .action(async (flags) => (await import('./rosters.ts')).listProviders(environment, flags));
  program
    .command('usage')
    .description('calls and cost of the key, or of the whole project with permission manage')
    .option('--from <date>', 'first day or moment; 30 days before the end when absent')
    .option('--to <date>', 'last day, or a moment; now when absent')
    .option('--group-by <list>', 'comma list of day, provider, key_id, user_id, key_tail')
    .option('--json', JSON_HELP)
    .action(async (flags) => (await import('./usage.ts')).showUsage(environment, flags));
  program
    .command('config')
    .description('show the client settings that apply here, and where each comes from')
    .option('--json', 'print JSON')
    .action(async (flags) => (await import('./config.ts')).showConfig(environment, flags));
}

function addSessions(program: Command, environment: Environment): void {
  program
    .command('sessions')
    .description('sessions, newest activity first')
    .option('--limit <n>', 'show at most this many; 20 when absent')
    .option('--json', JSON_HELP)
    .option('--jsonl', JSONL_HELP)
    .action(async (flags) => (await import('./sessions.ts')).listSessions(environment, flags));
  program
    .command('history <session>')
    .description('the interactions of a session, oldest first')
    .option('--full', 'include their runs')
    .option('--json', JSON_HELP)
    .option('--jsonl', JSONL_HELP)
    .action(async (session: string, flags) =>
      (await import('./history.ts')).showHistory(environment, session, flags),
    );
  program
    .command('replay <interaction>')
    .description('run a recorded search again with the providers of today, and show what differs')
    .option('--session', 'the id is that of a session: replay all its searches, the price first')
    .option('--dry-run', 'show the price; nothing is called')
    .option('--yes', 'replay a session without a question')
    .option('--json', 'print JSON: what differs, one object for each search')
    .action(async (interaction: string, flags) =>
      (await import('./replay.ts')).replay(environment, interaction, flags),
    );
  program
    .command('diff <before> <after>')
    .description('what differs between two searches, by query and provider')
    .option('--json', JSON_HELP)
    .action(async (before: string, after: string, flags) =>
      (await import('./diff.ts')).showDiff(environment, before, after, flags),
    );
  program
    .command('verify <session> <file>')
    .description('check the quotations of a markdown file against what a session recorded')
    .option('--links', 'also fetch the cited pages, the price first: which are dead or changed')
    .option('--context <file>', 'answer of trawl context --json: [1] is its source 1')
    .option('--yes', 'fetch them without a question')
    .option('--strict', 'fail where a quotation is only near what was recorded too')
    .option('--json', 'print JSON: one object with all quotations and links')
    .action(async (session: string, file: string, flags) =>
      (await import('./verify.ts')).verifyFile(environment, session, file, flags),
    );
  addEvidence(program, environment);
  program
    .command('trajectory <session>')
    .description('a session as a tree of interactions, runs and results')
    .option('--limit <n>', 'show at most this many interactions; all when absent')
    .option('--after <interaction>', 'start after this interaction')
    .option('--json', JSON_HELP)
    .action(async (session: string, flags) =>
      (await import('./trajectory.ts')).showTrajectory(environment, session, flags),
    );
}

function addEvidence(program: Command, environment: Environment): void {
  const evidence = program
    .command('evidence')
    .description('a session as one file that others can check without a server');
  evidence
    .command('export <session>')
    .description('print all interactions of a session as lines whose hashes are chained')
    .option('--html', 'print them as a page to read, which can be checked too')
    .action(async (session: string, flags) =>
      (await import('./evidence-export.ts')).exportEvidence(environment, session, flags),
    );
  evidence
    .command('check <file>')
    .description('check such a file; needs no server')
    .option('--hash <sha256>', 'the final hash that the file must have')
    .option('--json', 'print JSON')
    .action(async (file: string, flags) =>
      (await import('./evidence-check.ts')).checkEvidence(environment, file, flags),
    );
}
