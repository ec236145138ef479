import type { ContextResponse, VerifiedQuote } from '@trawl/client';
import { batchesOf } from '@trawl/client/terminal/batches';
import { type CommandContext, type CommonFlags, runWithKey } from '@trawl/client/terminal/command';
import { readDocument } from '@trawl/client/terminal/documents';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { counted, note, print, printJson } from '@trawl/client/terminal/output';
import { type Environment, oneLine, type Style } from '@trawl/client/terminal/style';
import { LIMITS } from '@trawl/contract/limits';
import { type DocumentQuote, markdownQuotes } from '@trawl/contract/markdown-quotes';
import type { Command } from 'commander';
import { checkLinks, type LinkCheck } from '../client/check-links.ts';
import { sessionOf } from '../client/named.ts';

/** `trawl verify` */
export function addVerify(program: Command, environment: Environment): void {
  program
    .command('verify <session> <file>')
    .description('check the quotations of a markdown file against what a session recorded')
    .option('--links', 'also fetch the cited pages, the price first: which are dead or changed')
    .option('--context <file>', 'answer of trawl context --json: [1] is its source 1')
    .option('--yes', 'fetch them without a question')
    .option('--strict', 'fail where a quotation is only near what was recorded too')
    .option('--json', 'print JSON: one object with all quotations and links')
    .action((session: string, file: string, flags) =>
      verifyFile(environment, session, file, flags),
    );
}

interface VerifyFlags extends CommonFlags {
  readonly links?: boolean;
  readonly strict?: boolean;
  readonly yes?: boolean;
  /** A file with the answer of a context, whose numbers the document cites. */
  readonly context?: string;
}

/** A quotation and whether the records have it. Longer ones than the API takes are not sent. */
type CheckedQuote = DocumentQuote & (VerifiedQuote | { readonly status: 'too_long' });

/** `trawl verify`: each quotation of a markdown file, and where the session has it. */
const verifyFile = (environment: Environment, named: string, file: string, flags: VerifyFlags) =>
  runWithKey(environment, flags, async (context) => {
    const session = await sessionOf(context, named);
    const sources = flags.context === undefined ? undefined : await sourcesOf(flags.context);
    const quotes = markdownQuotes(await readDocument(file), sources);
    const { checked, deleted } = await checkQuotes(context, session, quotes);
    const missing = checked.filter(isMissing).length;
    if (!flags.json) {
      for (const quote of checked) print(quoteText(quote, context.out));
      // the exit code says it to programs
      if (context.err.isTerminal || checked.length === 0) note(summaryText(checked, missing));
      if (missing > 0 && deleted > 0) note(deletedText(deleted));
    }
    const links = flags.links ? await checkLinks(context, session, urlsOf(checked), flags) : [];
    if (flags.json) {
      printJson({ session_id: session, quotes: checked, links, deleted_interactions: deleted });
    } else for (const link of links) print(linkText(link, context.out));
    const isDead = links.some(({ status }) => status === 'dead');
    const isRefused = flags.strict === true && checked.some(({ status }) => status === 'near');
    return missing > 0 || isDead || isRefused ? EXIT.failed : EXIT.ok;
  });

/** The URLs of the numbered sources of a context, as `trawl context --json` prints it. */
async function sourcesOf(path: string): Promise<ReadonlyMap<string, string>> {
  const answer: unknown = parsedJson(await readDocument(path));
  const { sources } = (answer as Partial<ContextResponse> | undefined)?.context ?? {};
  if (Array.isArray(sources)) return new Map(sources.map(({ n, url }) => [String(n), url]));
  const message = `${path} is not the JSON answer of a context: write it with trawl context --json`;
  throw new CommandError(EXIT.usage, 'usage', message);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isMissing = ({ status }: CheckedQuote): boolean =>
  status === 'not_found' || status === 'too_long';

async function checkQuotes(
  { client, signal }: CommandContext,
  session: string,
  quotes: readonly DocumentQuote[],
): Promise<{ readonly checked: readonly CheckedQuote[]; readonly deleted: number }> {
  const isShort = ({ text }: DocumentQuote) => [...text].length <= LIMITS.quoteCharacters;
  const found = new Map<DocumentQuote, VerifiedQuote>();
  let deleted = 0;
  for (const batch of batchesOf(quotes.filter(isShort), LIMITS.quotes)) {
    const wanted = batch.map(({ text, url }) => (url === null ? { text } : { text, url }));
    const answer = await client.verify({ session_id: session, quotes: wanted }, { signal });
    deleted = answer.deleted_interactions;
    for (const [at, quote] of batch.entries()) {
      const verified = answer.quotes[at];
      if (verified) found.set(quote, verified);
    }
  }
  const checked = quotes.map((quote): CheckedQuote => {
    const verified = found.get(quote);
    if (!verified) return { ...quote, status: 'too_long' };
    return { ...verified, ...quote, url: verified.url ?? quote.url };
  });
  return { checked, deleted };
}

/** Line, status, source and quote, separated by tabs. */
function quoteText(quote: CheckedQuote, style: Style): string {
  const text = oneLine(quote.text);
  const cut = style.isTerminal && text.length > 100 ? `${text.slice(0, 99)}…` : text;
  const status = `${statusText(quote, style)}${placeText(quote)}`;
  const cells = [String(quote.line), status, oneLine(quote.url ?? '–'), cut];
  const record = hasOtherPassage(quote) ? `  the record has: ${oneLine(quote.passage)}\n` : '';
  return `${cells.join(style.isTerminal ? '  ' : '\t')}\n${record}`;
}

/** Letters that differ, or what an ellipsis left out. */
function hasOtherPassage(
  quote: CheckedQuote,
): quote is DocumentQuote & VerifiedQuote & { readonly passage: string } {
  if (!('passage' in quote) || quote.passage === null) return false;
  return (
    quote.status === 'near' ||
    (quote.status === 'normalized' && /…|\.\.\.|\. \. \./.test(quote.text))
  );
}

function statusText(quote: CheckedQuote, style: Style): string {
  if (isMissing(quote)) return style.bad(quote.status);
  if (!('distance' in quote) || quote.status !== 'near') return style.good(quote.status);
  return style.warning(`near (${quote.distance})`);
}

/** Where it is not the text of the source that has the quote. */
function placeText(quote: CheckedQuote): string {
  if (!('field' in quote)) return '';
  return quote.field === 'answer' || quote.field === 'title' ? ` in ${quote.field}` : '';
}

function summaryText(checked: readonly CheckedQuote[], missing: number): string {
  if (checked.length === 0) return 'no quotation of four words or more, and no block quote\n';
  return `${counted(checked.length, 'quotation')}, ${missing} not found\n`;
}

const deletedText = (count: number): string =>
  `${counted(count, 'interaction')} of the session ${count === 1 ? 'was' : 'were'} deleted for age, and not searched\n`;

const urlsOf = (checked: readonly CheckedQuote[]): readonly string[] => [
  ...new Set(checked.flatMap(({ url }) => url ?? [])),
];

function linkText({ url, status, reason }: LinkCheck, style: Style): string {
  const shown = status === 'dead' ? style.bad(status) : status;
  const paint = status === 'changed' || status === 'unknown' ? style.warning(status) : shown;
  return `${paint}\t${oneLine(url)}${reason === null ? '' : `\t${oneLine(reason)}`}\n`;
}
