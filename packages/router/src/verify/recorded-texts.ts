import { readJson } from '@trawl/base';
import type { FetchRow, PreprocessorRun, QuotedField, ResultRow } from '@trawl/contract';
import type { QuotedText } from '@trawl/reader';
import { addressOf } from '../feedback/held-results.ts';
import type { StoredInteraction } from '../interaction/records.ts';

/** A recorded text, and what an answer says about it. */
export interface RecordedText extends QuotedText {
  readonly interactionId: string;
  readonly runId: string;
  /** From 1; null = an answer in words. */
  readonly row: number | null;
  readonly url: string | null;
  readonly field: QuotedField;
  /** Where it begins in the text that offsets count from, in code points. */
  readonly offset: number;
  readonly retrievedAt: string;
  readonly publishDate: string | null;
  /** As recorded for the whole page; null = the hash of the text itself. */
  readonly sha256: string | null;
}

/** Whole texts before passages, those before summaries, and titles last. */
const WEIGHTS: Readonly<Record<QuotedField, number>> = {
  full_content: 0,
  content: 0,
  passages: 1,
  chunks: 1,
  transcript: 1,
  excerpt: 2,
  summary: 3,
  answer: 4,
  title: 5,
};

type Part = Pick<RecordedText, 'text' | 'field' | 'offset'>;

/** The texts of an interaction in which quotes are looked for, in the order of its record. */
export function recordedTexts({
  id,
  completedAt,
  preprocessorRuns,
}: StoredInteraction): readonly RecordedText[] {
  return preprocessorRuns.flatMap((text) => {
    const run = readJson(text);
    return partsOfRun(run).flatMap(({ parts, urls, ...row }) =>
      parts.map(
        (part): RecordedText => ({
          ...part,
          ...row,
          weight: WEIGHTS[part.field],
          addresses: urls.map(addressOf),
          url: urls[0] ?? null,
          interactionId: id,
          runId: run.id,
          retrievedAt: completedAt,
        }),
      ),
    );
  });
}

interface Row extends Pick<RecordedText, 'row' | 'publishDate' | 'sha256'> {
  readonly parts: readonly Part[];
  readonly urls: readonly string[];
}

function partsOfRun({ output_payload: output }: PreprocessorRun): readonly Row[] {
  if (output === null) return [];
  if ('fetched_results' in output) return output.fetched_results.map(pageRow);
  const answer = parts('answer', [output.answer?.text]);
  return [
    ...output.results.map(resultRow),
    { parts: answer, urls: [], row: null, publishDate: null, sha256: null },
  ];
}

function resultRow(row: ResultRow, index: number): Row {
  return {
    parts: [
      ...parts('full_content', [row.full_content]),
      ...parts('excerpt', [row.excerpt]),
      ...parts('summary', [row.summary]),
      ...parts('title', [row.title]),
    ],
    urls: row.url === undefined ? [] : [row.url],
    row: index + 1,
    publishDate: row.publish_date ?? null,
    sha256: null,
  };
}

function pageRow(row: FetchRow, index: number): Row {
  const { content, passages = [], canonical_url: canonical } = row;
  return {
    parts: [
      ...parts('content', [content]),
      ...passages.map(({ text, offset }): Part => ({ text, offset, field: 'passages' })),
      ...parts('chunks', row.chunks ?? []),
      ...parts('transcript', [row.transcript]),
      ...parts('title', [row.title]),
    ],
    // earlier records do not have it
    urls: [row.url, ...(canonical ? [canonical] : [])],
    row: index + 1,
    publishDate: row.publish_date ?? null,
    sha256: row.content_sha256 ?? null,
  };
}

const parts = (field: QuotedField, texts: readonly (string | null | undefined)[]): Part[] =>
  texts.flatMap((text) => (text ? [{ text, field, offset: 0 }] : []));
