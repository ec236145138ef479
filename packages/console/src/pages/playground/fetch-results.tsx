import type { FetchRow } from '@trawl/contract';
import { fetchFieldsOfTier, type Tier } from '@trawl/contract/vocabulary';
import { Badge, Status, type Tone } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { Duration } from '../../parts/value.tsx';
import { FieldValue, gapsOf, Legend } from './result-values.tsx';
import { pageRemedyOf, Warnings } from './result-warnings.tsx';
import styles from './results.module.css';
import type { Marking } from './run-column.tsx';
import { awaited, type RunState } from './run-state.ts';

type PageMarking = Pick<Marking, 'marked' | 'onRead'>;

interface FetchResultsProps extends PageMarking {
  readonly state: RunState;
  readonly tier: Tier;
}

/** Each page with the providers it went through. */
export function FetchResults({ state, tier, ...marking }: FetchResultsProps) {
  return (
    <div className="stack">
      <Legend />
      {state.pages.map((page) => (
        <PageCard key={page.url} page={page} tier={tier} {...marking} />
      ))}
      {awaited(state).map(({ url = '' }) => (
        <section key={url} className={styles.column} aria-label={`${url}, waiting`}>
          <h3 className={styles.title}>{url}</h3>
          <Skeleton rows={3} />
        </section>
      ))}
    </div>
  );
}

interface PageCardProps extends PageMarking {
  readonly page: FetchRow;
  readonly tier: Tier;
}

function PageCard({ page, tier, marked, onRead }: PageCardProps) {
  const { url, status, title, content, error, provider, warnings, provider_chain: chain } = page;
  return (
    <section
      className={classNames(styles.column, url === marked && styles.marked)}
      aria-label={url}
    >
      <header className={styles.head}>
        <h3 className={styles.title}>
          <ExternalLink href={url}>{title || url}</ExternalLink>
        </h3>
        <Status tone={status === 'failed' ? 'bad' : 'good'}>{status}</Status>
        <span className="soft">
          {provider ?? 'no provider'}, <Duration ms={page.latency_ms} />
          {page.cache_state === 'hit' && ', from a cache'}
        </span>
        {content && (
          <Button
            size="small"
            data-keeps-peek
            onClick={() => onRead({ url, title: title || url, text: content })}
          >
            Read
          </Button>
        )}
      </header>
      <p className={styles.address}>{url}</p>
      {error && (
        <Note tone="bad">
          <p>
            <b className="mono">{error.code}</b> {error.message} {pageRemedyOf(error.code)}
          </p>
        </Note>
      )}
      {chain && <Chain chain={chain} />}
      <Warnings warnings={warnings} />
      <PageFields page={page} tier={tier} />
    </section>
  );
}

const OUTCOMES: Readonly<Record<string, Tone>> = { answered: 'good', failed: 'bad' };

const Chain = ({ chain }: { readonly chain: NonNullable<FetchRow['provider_chain']> }) => (
  <ol className={styles.chain} aria-label="Providers that were tried, in order">
    {chain.map(({ provider, outcome, code, latency_ms }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the order is what it says
      <li key={index}>
        <Badge tone={OUTCOMES[outcome] ?? 'neutral'}>{provider}</Badge>
        <span className="soft">
          {outcome}
          {code !== null && `: ${code}`}
          {latency_ms !== null && (
            <>
              , <Duration ms={latency_ms} />
            </>
          )}
        </span>
      </li>
    ))}
  </ol>
);

/** Shown in other places. */
const ELSEWHERE: readonly string[] = [
  ...['url', 'status', 'error', 'title', 'content', 'provider', 'latency_ms'],
  ...['warnings', 'warning', 'provider_chain', 'raw_html', 'html', 'chunks'],
];

function PageFields({ page, tier }: Pick<PageCardProps, 'page' | 'tier'>) {
  const gaps = gapsOf(page.warnings);
  const fields = [
    ...fetchFieldsOfTier(tier),
    ...(page.passages ? (['passages'] as const) : []),
  ].filter((field) => !ELSEWHERE.includes(field));
  if (page.status === 'failed') return null;
  return (
    <details className={styles.payloads}>
      <summary>Fields</summary>
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              <FieldValue field={field} gaps={gaps} value={page[field as keyof FetchRow]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
