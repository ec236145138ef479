import { isJsonObject } from '@trawl/contract';
import { csvRows } from './csv.ts';
import {
  checkedQueries,
  GOLD_MAX,
  isWebUrl,
  type NumberedFields,
  type SetOrigin,
  type SetQuery,
  sha256Of,
} from './query-set.ts';

/** A public set at an address that never changes, and the hash of its bytes. */
export interface OpenSet extends SetOrigin {
  readonly name: string;
  readonly url: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly queries: number;
  /** What it has of each query, for people. */
  readonly has: string;
  readonly read: (text: string) => readonly NumberedFields[];
}

const RAW = 'https://raw.githubusercontent.com';

/**
 * Sets that may be fetched. Each hash is that of the file in the named commit. A set whose authors
 * ask that it is not shown in clear has no place here.
 */
export const OPEN_SETS: readonly OpenSet[] = [
  {
    name: 'octen-anchors',
    source: 'Octen-Team/search-eval',
    licence: 'MIT',
    url: `${RAW}/Octen-Team/search-eval/c72cc685155a47c083c41a73502255d3d3366442/data/anchor_queries.jsonl`,
    bytes: 29_735,
    sha256: 'acb6d7abda7ea54c49851603b69759ecc79ffb12b3dd87c21b80c74c117cdbf7',
    queries: 60,
    has: 'gold URLs for 56 of them',
    read: (text) => jsonLines(text).map(anchorFields),
  },
  {
    name: 'simpleqa',
    source: 'SimpleQA of OpenAI, as in youdotcom-oss/web-search-api-evals',
    licence: 'MIT',
    url: `${RAW}/youdotcom-oss/web-search-api-evals/1b627cadb7661a94eb8d5c5ccdbb0d4278d417e9/data/simpleqa_full_dataset.csv`,
    bytes: 2_012_910,
    sha256: 'feee3f7e7db3617e94e8fcf1977b756ec420ef8568f4e0fcbbe0e92e9d5fc032',
    queries: 4_326,
    has: 'expected answers and gold URLs',
    read: (text) =>
      columns(text).map(({ line, cell }) => ({
        line,
        fields: questionFields(cell('problem'), cell('answer'), cell('metadata')),
      })),
  },
  {
    name: 'frames',
    source: 'google/frames-benchmark, as in youdotcom-oss/web-search-api-evals',
    licence: 'Apache-2.0',
    url: `${RAW}/youdotcom-oss/web-search-api-evals/1b627cadb7661a94eb8d5c5ccdbb0d4278d417e9/data/frames_full_dataset.csv`,
    bytes: 488_438,
    sha256: 'c7ccb3f926fb90f38afda8a6793eb13c6314af1c693cc6a70e5089d7f7b2dc47',
    queries: 824,
    has: 'expected answers and gold URLs',
    read: (text) =>
      columns(text).map(({ line, cell }) => ({
        line,
        fields: questionFields(cell('problem'), cell('answer'), cell('wiki_links')),
      })),
  },
];

/** @throws Error where the text is not the pinned one */
export function readOpenSet(set: OpenSet, text: string): readonly SetQuery[] {
  const sha256 = sha256Of(text);
  if (sha256 !== set.sha256) {
    throw new Error(
      `${set.name}: ${set.url} has the hash ${sha256}, not ${set.sha256}; it was changed, so it is not used`,
    );
  }
  return checkedQueries(withoutRepeats(set.read(text)));
}

/** Public sets repeat a few of their questions. */
function withoutRepeats(rows: readonly NumberedFields[]): readonly NumberedFields[] {
  const seen = new Set<unknown>();
  return rows.filter(({ fields }) => {
    if (seen.has(fields.query)) return false;
    seen.add(fields.query);
    return true;
  });
}

interface Line {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

function jsonLines(text: string): readonly Line[] {
  return text.split('\n').flatMap((content, index): Line[] => {
    const value: unknown = content.trim() === '' ? null : JSON.parse(content);
    return isJsonObject(value) ? [{ line: index + 1, value }] : [];
  });
}

function anchorFields({ line, value: { qid, query, gold } }: Line): NumberedFields {
  const urls = isJsonObject(gold) ? gold.gold_urls : [];
  return { line, fields: { id: qid, query, gold_urls: Array.isArray(urls) ? urls : [] } };
}

function columns(text: string) {
  const [head, ...rows] = csvRows(text);
  const names = head?.cells ?? [];
  return rows.map(({ line, cells }) => ({
    line,
    cell: (name: string) => cells[names.indexOf(name)] ?? '',
  }));
}

const questionFields = (query: string, answer: string, links: string) => ({
  query,
  expected_answer: answer,
  gold_urls: linksIn(links),
});

/** URLs in single quotation marks, as these files write lists. */
function linksIn(text: string): readonly string[] {
  const urls = text.split("'").filter(isWebUrl);
  return [...new Set(urls)].slice(0, GOLD_MAX);
}
