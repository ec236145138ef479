import { useQuery } from '@tanstack/react-query';
import type { InteractionDetails, VerifiedQuote } from '@trawl/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { Region } from '../../parts/region.tsx';
import { Time } from '../../parts/value.tsx';
import { interactionQuery } from '../../records/record-queries.ts';
import styles from './quotes.module.css';

interface QuotePlaceProps {
  readonly project: string;
  readonly found: VerifiedQuote;
  readonly onClose: () => void;
}

/** The recorded text around a quote, with the quote marked and scrolled to. */
export function QuotePlace({ project, found, onClose }: QuotePlaceProps) {
  const query = useQuery(interactionQuery(project, found.interaction_id ?? ''));
  return (
    <Dialog
      title="As it was recorded"
      description={
        <>
          {found.url !== null && (
            <>
              <ExternalLink href={found.url}>{found.url}</ExternalLink>,{' '}
            </>
          )}
          {found.field?.replaceAll('_', ' ')}, retrieved <Time at={found.retrieved_at} isAbsolute />
        </>
      }
      isOpen
      onClose={onClose}
      isWide
    >
      <Region query={query} what="The record">
        {({ interaction }) => <Marked found={found} of={quotedText(interaction, found)} />}
      </Region>
    </Dialog>
  );
}

function Marked({
  found,
  of,
}: {
  readonly found: VerifiedQuote;
  readonly of: QuotedText | undefined;
}) {
  if (of) return <TextAround {...of} />;
  return (
    <>
      <Note tone="warn">
        The record does not have the text at this place any more. This is what was found there.
      </Note>
      <p dir="auto">
        <q>{found.passage}</q>
      </p>
    </>
  );
}

/** Characters that are laid out on each side: a megabyte would hold the page for seconds. */
const STEP = 5_000;

function TextAround({ text, start, end }: QuotedText) {
  const [shown, setShown] = useState({ from: start - STEP, to: end + STEP });
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    mark.current?.scrollIntoView({ block: 'center' });
    mark.current?.focus({ preventScroll: true });
  }, []);
  const from = wholeAt(text, Math.max(0, shown.from));
  const to = wholeAt(text, Math.min(text.length, shown.to));
  const [before, quote, after] = useMemo(
    () => [text.slice(from, start), text.slice(start, end), text.slice(end, to)],
    [text, from, start, end, to],
  );
  return (
    <div className="stack-tight">
      {from > 0 && (
        <div>
          <Button
            size="small"
            icon="chevron-up"
            onClick={() => setShown({ from: from - STEP, to })}
          >
            Earlier text
          </Button>
        </div>
      )}
      <p className={styles.text} dir="auto">
        {before}
        <mark ref={mark} tabIndex={-1} className={styles.mark}>
          {quote}
        </mark>
        {after}
      </p>
      {to < text.length && (
        <div>
          <Button
            size="small"
            icon="chevron-down"
            onClick={() => setShown({ from, to: to + STEP })}
          >
            Later text
          </Button>
        </div>
      )}
    </div>
  );
}

/** Not between the two halves of a character. */
function wholeAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  return unit >= 0xdc00 && unit <= 0xdfff ? place + 1 : place;
}

/** A recorded text, and the stretch of it that was found, in UTF-16 units. */
interface QuotedText {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text that has a quote; undefined = the record does not have it there. */
export function quotedText(
  { preprocessor_runs: runs }: InteractionDetails,
  found: VerifiedQuote,
): QuotedText | undefined {
  const { run_id, offset, passage } = found;
  const output = runs.find(({ id }) => id === run_id)?.output_payload;
  if (!output || offset === null || passage === null) return undefined;
  for (const { text, from } of textsOf(output, found)) {
    const start = unitsOf(text, offset - from);
    if (start !== undefined && text.startsWith(passage, start)) {
      return { text, start, end: start + passage.length };
    }
  }
  return undefined;
}

type Output = NonNullable<InteractionDetails['preprocessor_runs'][number]['output_payload']>;

/** The texts of a field with the place where each begins, in characters. */
function textsOf(
  output: Output,
  { field, row }: VerifiedQuote,
): readonly { readonly text: string; readonly from: number }[] {
  const all = (...texts: readonly (string | null | undefined)[]) =>
    texts.flatMap((text) => (text ? [{ text, from: 0 }] : []));
  if (field === null) return [];
  if (field === 'answer') return 'results' in output ? all(output.answer?.text) : [];
  const place = (row ?? 0) - 1;
  if ('results' in output) {
    const found = output.results[place];
    return found && field in found ? all(found[field as 'title']) : [];
  }
  const page = output.fetched_results[place];
  if (!page) return [];
  if (field === 'passages')
    return (page.passages ?? []).map(({ text, offset }) => ({ text, from: offset }));
  if (field === 'chunks') return all(...(page.chunks ?? []));
  return field === 'content' || field === 'transcript' || field === 'title' ? all(page[field]) : [];
}

/** Where a character begins; undefined = the text has no such place. */
function unitsOf(text: string, characters: number): number | undefined {
  if (characters < 0) return undefined;
  let units = 0;
  for (let passed = 0; passed < characters; passed += 1) {
    if (units >= text.length) return undefined;
    const unit = text.charCodeAt(units);
    const next = text.charCodeAt(units + 1);
    units += unit >= 0xd800 && unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff ? 2 : 1;
  }
  return units;
}
