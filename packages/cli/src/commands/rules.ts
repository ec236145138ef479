import { counted } from '@trawl/client/terminal/output';
import { oneLine } from '@trawl/client/terminal/style';
import { processTerminal, type Terminal } from '@trawl/client/terminal/terminal';
import type { WebRule } from '@trawl/contract';
import type { Command } from 'commander';
import { collect } from '../program/flags.ts';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl rules check` */
export function addRules(program: Command, { runtime }: ServerEntry): void {
  program
    .command('rules')
    .description('web rules: hosts and secrets that no request may touch')
    .command('check <file>')
    .description(
      'check a file of web rules, and whether it refuses a query or a URL; sends nothing',
    )
    .option('--query <text>', 'a query; repeatable', collect)
    .option('--url <url>', 'a URL; repeatable', collect)
    .option('--json', 'print JSON')
    .action(async (file: string, options) => {
      if (!(await checkRules(await runtime(), file, options))) process.exitCode = 1;
    });
}

interface RulesCheckOptions {
  readonly query?: readonly string[];
  readonly url?: readonly string[];
  readonly json?: boolean;
}

/** What was asked about, and the rule against it. */
interface Checked {
  readonly kind: 'query' | 'url';
  readonly text: string;
  readonly rule: WebRule | null;
}

/**
 * `trawl rules check`: what a file of web rules says, and whether it refuses queries and URLs; true
 * when it refuses none of them. Sends nothing.
 * @throws ConfigError for a file that no server would start with
 */
async function checkRules(
  { environment }: Pick<Runtime, 'environment'>,
  file: string,
  { query: queries = [], url: urls = [], json = false }: RulesCheckOptions,
  terminal: Terminal = processTerminal,
): Promise<boolean> {
  const { parsedUrl } = await import('@trawl/contract');
  const { createDeployment, webRulesOf } = await import('@trawl/router');
  const { idleEntries, readConfig } = await import('@trawl/server');
  const config = readConfig({ ...environment, WEB_RULES_FILE: file });
  const written = config.webRulesFile?.rules ?? {};
  const rules = webRulesOf(createDeployment(config), undefined);
  const wrong = urls.find((url) => parsedUrl(url) === null);
  if (wrong !== undefined) throw new UsageError('--url takes an absolute URL');
  const checked: readonly Checked[] = [
    ...queries.map((text) => ({ kind: 'query', text, rule: rules.ofText(text) }) as const),
    ...urls.map((text) => ({ kind: 'url', text, rule: rules.ofUrl(text) }) as const),
  ];
  const facts = {
    file,
    denied: written.hosts?.deny?.length ?? 0,
    allowed: written.hosts?.allow?.length ?? 0,
    secrets: written.secrets ?? 'off',
    without_effect: idleEntries(written),
  };
  if (json) {
    const checks = checked.map(({ kind, text, rule }) => ({ [kind]: shown(text, rule), rule }));
    terminal.print(`${JSON.stringify({ ...facts, checks })}\n`);
  } else {
    terminal.print(`${[factsText(facts), ...checked.map(checkedText)].join('\n')}\n`);
  }
  return checked.every(({ rule }) => rule === null);
}

interface Facts {
  readonly file: string;
  readonly denied: number;
  readonly allowed: number;
  readonly secrets: string;
  readonly without_effect: readonly string[];
}

function factsText({ file, denied, allowed, secrets, without_effect: idle }: Facts): string {
  const allow = allowed === 0 ? 'all others allowed' : `only ${counted(allowed, 'host')} allowed`;
  const lines = [`${file}: ${counted(denied, 'host')} denied, ${allow}, secrets ${secrets}`];
  if (idle.length > 0) {
    const named = idle.slice(0, 5).join(', ');
    const more = idle.length > 5 ? ` and ${idle.length - 5} more` : '';
    lines.push(`hosts.allow: no effect of ${named}${more}, since hosts.deny names them too`);
  }
  return lines.join('\n');
}

const checkedText = ({ kind, text, rule }: Checked): string =>
  `${kind} ${oneLine(shown(text, rule))}: ${rule === null ? 'not refused' : `refused by ${rule}`}`;

/** A text with a key or a secret is not repeated. */
const shown = (text: string, rule: WebRule | null): string =>
  rule === 'keys' || rule === 'secrets' ? '[redacted]' : text;
