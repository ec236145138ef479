import { useQuery } from '@tanstack/react-query';
import type { VerifiedQuote } from '@trawl/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { Region } from '../../parts/region.tsx';
import { Time } from '../../parts/value.tsx';
import { interactionQuery } from '../../records/interaction-query.ts';
import { type QuotedText, quotedText } from './quoted-text.ts';
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
