import type { ChainStep, FetchRow, PageFinding } from '@trawl/contract';
import { useState } from 'react';
import { Badge, Status, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { counted } from '../../parts/number-text.ts';
import { Duration } from '../../parts/value.tsx';
import { Outcome } from '../../records/cost-and-outcome.tsx';
import { Failure, failureSentence, Warnings } from '../../records/failures.tsx';
import styles from './interaction.module.css';
import { PageText } from './page-text.tsx';

/** The pages of a fetch. One at a time shows its text. */
export function Pages({ rows }: { readonly rows: readonly FetchRow[] }) {
  const [open, setOpen] = useState(rows.length === 1 ? 0 : -1);
  return (
    <ul className={styles.pages}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
        <li key={index} className="stack-tight">
          <PageHead row={row} />
          <Findings row={row} />
          <Chain row={row} />
          {row.content && (
            <>
              <Button
                size="small"
                icon={open === index ? 'chevron-up' : 'chevron-down'}
                aria-expanded={open === index}
                onClick={() => setOpen(open === index ? -1 : index)}
              >
                {open === index ? 'Hide the text' : 'Show the text'}
              </Button>
              {open === index && <PageText text={row.content} name={`page-${index + 1}`} />}
            </>
          )}
          {row.status === 'succeeded' && !row.content && (
            <p className="soft">
              {row.content === undefined
                ? 'The request left the text out (inline_content: false).'
                : 'The page has no text.'}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function PageHead({ row }: { readonly row: FetchRow }) {
  return (
    <>
      <div className="row">
        <Outcome of={row.status} />
        <strong className={styles.title} dir="auto">
          {row.title ?? 'no title'}
        </strong>
        {row.cache_state === 'hit' && <Badge tone="accent">from a cache</Badge>}
      </div>
      <p className={styles.url}>
        <ExternalLink href={row.url}>{row.url}</ExternalLink>
      </p>
      <p className="soft row">
        <span>{row.provider ?? 'no provider was asked'}</span>
        <span>HTTP {row.http_status ?? 'status not reported'}</span>
        <Duration ms={row.latency_ms} />
        {row.content_length !== null && <span>{counted(row.content_length, 'character')}</span>}
        {typeof row.quality === 'number' && <span>quality {row.quality.toFixed(2)}</span>}
        {row.truncated && <span>the recorded text is cut</span>}
      </p>
      {row.error && <Failure code={row.error.code} of="page" message={row.error.message} />}
      {row.warnings.length > 0 && <Warnings warnings={row.warnings} />}
    </>
  );
}

const OUTCOMES: Readonly<Record<ChainStep['outcome'], readonly [string, Tone]>> = {
  answered: ['answered', 'good'],
  failed: ['failed', 'bad'],
  skipped: ['skipped', 'neutral'],
  declined: ['declined', 'neutral'],
};

/** Who was tried, in order, and the verdict of each. */
function Chain({ row: { provider_chain: steps } }: { readonly row: FetchRow }) {
  if (!steps) {
    return (
      <p className="soft">The steps of the chain are recorded at tiers extended and max only.</p>
    );
  }
  return (
    <ol className={styles.chain} aria-label="Providers that were tried">
      {steps.map(({ provider, outcome, code, latency_ms }, index) => {
        const [word, tone] = OUTCOMES[outcome] ?? [outcome, 'neutral'];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a provider may be tried twice
          <li key={index}>
            <span className="row">
              <strong>{provider}</strong>
              <Status tone={tone}>{word}</Status>
              {latency_ms !== null && <Duration ms={latency_ms} />}
            </span>
            {code !== null && <p className="soft">{failureSentence(code, 'page')}</p>}
          </li>
        );
      })}
    </ol>
  );
}

const KINDS: Readonly<Record<PageFinding['kind'], string>> = {
  hidden_text: 'hidden text',
  invisible_characters: 'invisible characters',
  text_for_agents: 'text for agents',
};

/** What a page hides, or says to programs. Its words are shown as words, whatever they are. */
function Findings({ row: { findings = [] } }: { readonly row: FetchRow }) {
  if (findings.length === 0) return null;
  return (
    <Note>
      <p>
        The page holds {counted(findings.length, 'text')} that people do not see, or that speak to
        programs. It was delivered all the same.
      </p>
      <ul>
        {findings.map(({ kind, excerpt, offset }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: findings keep their places
          <li key={index}>
            <strong>{KINDS[kind] ?? kind}</strong>{' '}
            <span className="soft">
              {offset === null
                ? 'not in the text'
                : `at character ${offset.toLocaleString('en-US')}`}
            </span>
            <br />
            <q dir="auto">{excerpt}</q>
          </li>
        ))}
      </ul>
    </Note>
  );
}
