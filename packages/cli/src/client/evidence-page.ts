import { type InteractionDetails, isFetchOutput, isSearchOutput } from '@trawl/client';
import { counted } from '@trawl/client/terminal/output';
import { writeJson } from '@trawl/contract';
import { readLine } from './evidence-lines.ts';

const STYLE =
  'body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem}article{border-top:1px solid #888;padding:1rem 0}.text{max-height:20rem;overflow:auto}';

/** Before and after each line of evidence in a page. */
const LINE_START = '<pre class="line">';
const LINE_END = '</pre>';

/**
 * What a page has for a line of evidence, for reading. It depends on nothing but the line, so that
 * a check can build it again. Without scripts.
 */
export function pagePart(line: string): string {
  const { sha256, record } = readLine(line) ?? {};
  if (record?.kind === 'head') return headHtml(line, record.deleted_interactions);
  if (record?.kind === 'end') return `<p>Final hash: ${sha256}</p>\n${lineHtml(line)}</html>\n`;
  return interactionHtml(line, record?.interaction as InteractionDetails);
}

const headHtml = (line: string, deleted: unknown): string =>
  `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Evidence of a session</title><style>${STYLE}</style>\n<h1>Evidence of a session</h1>\n<p>"trawl evidence check" checks the lines under "Record", and that the rest of the page is what they say.</p>\n${deletedHtml(deleted)}${lineHtml(line)}`;

const deletedHtml = (deleted: unknown): string =>
  typeof deleted === 'number' && deleted > 0
    ? `<p>Of this session, ${counted(deleted, 'interaction')} had been deleted before.</p>\n`
    : '';

const interactionHtml = (line: string, interaction: InteractionDetails): string =>
  `<article><h2>${escaped(inputText(interaction))}</h2><p>${escaped(interaction.created_at)}, ${escaped(interaction.status)}, ${escaped(interaction.interaction_id)}</p>\n${interaction.preprocessor_runs.map(runHtml).join('')}${lineHtml(line)}</article>\n`;

const lineHtml = (line: string): string =>
  `<details><summary>Record</summary>\n${LINE_START}${escaped(line)}${LINE_END}</details>\n`;

/** The lines of evidence in a page; undefined = it is not a page. */
export function linesOfPage(text: string): readonly string[] | undefined {
  if (!text.startsWith('<!doctype html>')) return undefined;
  return text
    .split(LINE_START)
    .slice(1)
    .map((part) => {
      const end = part.indexOf(LINE_END);
      return unescaped(end < 0 ? part : part.slice(0, end));
    });
}

/**
 * Builds a page again from its lines, which were checked.
 * @returns what the first part is that differs, and its line; undefined = none does
 */
export function differenceOfPage(
  page: Uint8Array,
  lines: readonly string[],
): { readonly line: number; readonly reason: string } | undefined {
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const part = builtAgain(line);
    const end = at + (part?.length ?? 0);
    if (!part?.equals(page.subarray(at, end))) {
      const isArticle = index > 0 && index < lines.length - 1;
      const name = isArticle ? `article ${index}` : index === 0 ? 'the head' : 'the end';
      return {
        line: index + 1,
        reason: `${name} of the page shows something else than its record`,
      };
    }
    at = end;
  }
  if (at === page.length) return undefined;
  return { line: lines.length, reason: 'the page goes on behind its end' };
}

/** undefined = the record has not the shape of an interaction. */
function builtAgain(line: string): Buffer | undefined {
  try {
    return Buffer.from(pagePart(line));
  } catch {
    return undefined;
  }
}

function inputText({ user_input: input }: InteractionDetails): string {
  if (typeof input?.query === 'string') return input.query;
  if (Array.isArray(input?.urls)) return input.urls.join(' ');
  return writeJson(input?.queries ?? 'no input');
}

type Run = InteractionDetails['preprocessor_runs'][number];

function runHtml({ preprocessor_name: name, query, output_payload: output, error }: Run): string {
  const head = `<h3>${escaped(name)} ${escaped(query)}</h3>\n`;
  if (error) return `${head}<p>${escaped(`${error.code}: ${error.message}`)}</p>\n`;
  if (isSearchOutput(output)) {
    const rows = output.results.map(({ url, title, summary }) =>
      rowHtml(url ?? '', title ?? null, summary ?? null),
    );
    return `${head}<ol>${rows.join('')}</ol>\n`;
  }
  if (!isFetchOutput(output)) return head;
  const pages = output.fetched_results.map(({ url, title, content, error: fault }) =>
    rowHtml(url, title, content ?? fault?.message ?? null),
  );
  return `${head}<ol>${pages.join('')}</ol>\n`;
}

const rowHtml = (url: string, title: string | null, text: string | null): string =>
  `<li><p>${escaped(title ?? '')}<br>${escaped(url)}</p><pre class="text">${escaped(text ?? '')}</pre></li>\n`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const SIGNS = Object.fromEntries(Object.entries(ESCAPES).map(([sign, code]) => [code, sign]));

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (code) => SIGNS[code] ?? code);
