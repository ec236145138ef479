import type { FetchRow } from '@trawl/client';
import type { CommandContext } from '@trawl/client/terminal/command';
import { note, print } from '@trawl/client/terminal/output';
import { oneLine, printable, type Style } from '@trawl/client/terminal/style';
import { passagesText } from '@trawl/contract';

const PREVIEW_CHARACTERS = 1_500;
const EXCERPT_CHARACTERS = 120;

/** Where standard output is not a terminal, it holds only the pages. */
export function showPage(
  { out, err }: CommandContext,
  { maxChars }: { readonly maxChars?: string },
  page: FetchRow,
  isOneOfMany: boolean,
): void {
  const isFailed = page.status === 'failed';
  if (out.isTerminal) print(pageHead(page, out) + pageText(page, out, maxChars !== undefined));
  else {
    const hides = (page.findings ?? []).length > 0;
    if (err.isTerminal || isFailed || hides) note(pageHead(page, err));
    const name = isOneOfMany && !isFailed ? `==> ${page.url} <==\n` : '';
    print(name + pageText(page, out, true));
  }
}

/** The outcome of a page, in one line. */
function pageHead(page: FetchRow, style: Style): string {
  const { url, status, error, provider, latency_ms: latencyMs, content_length: length } = page;
  const place = style.bold(oneLine(url));
  if (status === 'failed') {
    const reason = `${error?.code ?? 'unknown'}: ${error?.message ?? ''}`;
    return `${style.bad('✗')} ${place}  ${oneLine(reason)}\n`;
  }
  const facts = [
    provider ?? 'cache',
    ...(latencyMs === null ? [] : [`${latencyMs} ms`]),
    `${(length ?? 0).toLocaleString('en')} characters`,
  ];
  return `${style.good('✓')} ${place}  ${facts.join(', ')}\n${findingLine(page, style)}`;
}

/** What a page hides, in one line, with the beginning of the first; empty = nothing is known. */
function findingLine({ findings = [] }: FetchRow, style: Style): string {
  const [first] = findings;
  if (!first) return '';
  const kinds = [...new Set(findings.map(({ kind }) => kind.replaceAll('_', ' ')))].join(', ');
  const excerpt = [...oneLine(first.excerpt)].slice(0, EXCERPT_CHARACTERS).join('');
  const more = findings.length === 1 ? '' : ` and ${findings.length - 1} more`;
  return `  ${style.warning(`holds ${kinds}:`)} ${JSON.stringify(excerpt)}${more}\n`;
}

/**
 * The text of a page, or its passages where these were asked for. On a terminal only its beginning,
 * unless `isWhole`.
 */
function pageText(
  { status, title, content, passages }: FetchRow,
  style: Style,
  isWhole: boolean,
): string {
  if (status === 'failed') return '';
  const text = passages ? passagesText(passages) : (content ?? '');
  if (!style.isTerminal) return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const points = [...printable(text)];
  const head = title ? `${style.bold(oneLine(title))}\n` : '';
  if (isWhole || points.length <= PREVIEW_CHARACTERS) return `${head}${points.join('')}\n`;
  const more = `${(points.length - PREVIEW_CHARACTERS).toLocaleString('en')} more characters: pipe the command, or set --max-chars`;
  return `${head}${points.slice(0, PREVIEW_CHARACTERS).join('')}…\n${style.dim(more)}\n`;
}
