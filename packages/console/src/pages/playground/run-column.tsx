import type {
  AppliedFilters,
  PlannedCall,
  ResultRow,
  SearchOutput,
  SearchRun,
} from '@trawl/contract';
import { Status } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { Note } from '../../parts/note.tsx';
import { Skeleton } from '../../parts/region.tsx';
import { Duration, Money } from '../../parts/value.tsx';
import { hostOf } from '../../parts/web-address.ts';
import { isFallback } from '../../requests/fallback-runs.ts';
import { FieldValue, gapsOf, isEmptyValue, Missing } from './result-values.tsx';
import { Warnings } from './result-warnings.tsx';
import styles from './results.module.css';

/** A page whose text is shown. */
export interface ShownPage {
  readonly url: string;
  readonly title: string;
  readonly text: string;
}

export interface Marking {
  /** The address that is marked everywhere. */
  readonly marked: string | null;
  readonly onMark: (url: string | null) => void;
  readonly onRead: (reading: ShownPage) => void;
  /** How many runs found each address. */
  readonly shared: ReadonlyMap<string, number>;
  /** Opens the form of a fetch with a page of the results. */
  readonly onFetch: (url: string) => void;
}

interface RunColumnProps extends Marking {
  readonly run: SearchRun;
  /** What its call was planned to cost. */
  readonly planned: PlannedCall | undefined;
}

/** What one provider found for one query. */
export function RunColumn({ run, planned, ...marking }: RunColumnProps) {
  const { preprocessor_name: name, output_payload: output, error } = run;
  const warnings = output?.warnings ?? error?.warnings ?? [];
  return (
    <section className={styles.column} aria-label={name}>
      <RunHead run={run} planned={planned} />
      <Warnings warnings={warnings} />
      {output?.filters && <Filters filters={output.filters} />}
      {error && (
        <Note tone="bad">
          <p>
            <b className="mono">{error.code}</b> {error.message}
          </p>
        </Note>
      )}
      {output && <Envelope output={output} />}
      {output?.results.length === 0 && <p className="soft">Nothing found. That is an answer.</p>}
      <ol className={styles.rows}>
        {output?.results.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a provider may send a page twice
            key={index}
            row={row}
            output={output}
            {...marking}
          />
        ))}
      </ol>
      <Payloads run={run} />
    </section>
  );
}

/** How the provider applied each filter of the request. */
function Filters({ filters }: { readonly filters: AppliedFilters }) {
  const parts = Object.entries(filters).map(([name, method]) => `${name} ${method}`);
  return <p className="soft">Filters: {parts.join(', ')}</p>;
}

function RunHead({ run, planned }: Pick<RunColumnProps, 'run' | 'planned'>) {
  const { preprocessor_name: name, status, latency_ms, output_payload: output } = run;
  const isServed = run.cache !== undefined && run.cache.state !== 'miss';
  // a recorded answer shows what it had cost
  const billed = isServed ? null : (output?.usage?.cost_usd ?? null);
  const estimate = planned?.cost_usd ?? null;
  return (
    <header className={styles.head}>
      <h3>{name}</h3>
      <Status tone={status === 'failed' ? 'bad' : 'good'}>{status}</Status>
      {isFallback(run) && <Status tone="warn">fallback</Status>}
      {isServed && <Status tone="good">from the record</Status>}
      <span className="soft">
        {output && `${output.results.length} ${output.results.length === 1 ? 'row' : 'rows'}, `}
        {latency_ms === null ? 'nothing was sent' : <Duration ms={latency_ms} />}
        {billed !== null && (
          <>
            , <Money usd={billed} />
          </>
        )}
        {billed === null && estimate !== null && latency_ms !== null && (
          <>
            , <Money usd={estimate} isEstimated />
          </>
        )}
      </span>
    </header>
  );
}

/** Fields that are not of single rows. */
const ENVELOPE = ['answer', 'entities', 'related', 'verticals'] as const;

function Envelope({ output }: { readonly output: SearchOutput }) {
  const gaps = gapsOf(output.warnings);
  const shown = ENVELOPE.filter((field) => (output.fields as readonly string[]).includes(field));
  if (shown.length === 0) return null;
  return (
    <dl className={styles.fields}>
      {shown.map((field) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <FieldValue
              field={field}
              gaps={gaps}
              value={field === 'answer' ? output.answer?.text : output[field]}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** An address as people write it. */
export const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '');

/** Shown in other places than the list of fields. */
const IN_HEADING: readonly string[] = ['url', 'title', 'rank', 'summary'];
const NOT_OF_ROWS: readonly string[] = [...ENVELOPE, 'usage', 'latency_ms', 'warnings'];

interface RowProps extends Marking {
  readonly row: ResultRow;
  readonly output: SearchOutput;
}

function Row({ row, output, marked, onMark, onRead, shared, onFetch }: RowProps) {
  const gaps = gapsOf(output.warnings);
  const { url, title, rank, full_content: text } = row;
  const isMarked = url !== undefined && url === marked;
  const fields: readonly string[] = output.fields;
  const others = fields.filter((name) => !IN_HEADING.includes(name) && !NOT_OF_ROWS.includes(name));
  const finders = url === undefined ? 1 : (shared.get(url) ?? 1);
  return (
    <li className={classNames(styles.row, isMarked && styles.marked)}>
      <div className={styles.rowHead}>
        <span className={styles.rank}>{rank ?? '·'}</span>
        <div className="grow">
          <p className={styles.title}>
            {url === undefined ? (
              (title ?? 'without address')
            ) : (
              <ExternalLink href={url}>{title || url}</ExternalLink>
            )}
          </p>
          {fields.includes('title') && !title && (
            <FieldValue field="title" value={title} gaps={gaps} />
          )}
          {url !== undefined && <p className={styles.address}>{withoutScheme(url)}</p>}
        </div>
        {url !== undefined && (
          <button
            type="button"
            className={styles.mark}
            aria-pressed={isMarked}
            aria-label={`Mark ${hostOf(url)} everywhere, found by ${finders}`}
            onClick={() => onMark(isMarked ? null : url)}
          >
            {finders}×
          </button>
        )}
      </div>
      {fields.includes('summary') && (
        <div className={styles.summary}>
          <FieldValue field="summary" value={row.summary} gaps={gaps} />
        </div>
      )}
      <OtherFields row={row} fields={others} gaps={gaps} />
      <div className={styles.actions}>
        {url !== undefined && text && (
          <Button
            size="small"
            data-keeps-peek
            onClick={() => onRead({ url, title: title || url, text })}
          >
            Read
          </Button>
        )}
        {url !== undefined && (
          <Button size="small" variant="quiet" onClick={() => onFetch(url)}>
            Fetch this page
          </Button>
        )}
      </div>
    </li>
  );
}

interface OtherFieldsProps {
  readonly row: ResultRow;
  readonly fields: readonly string[];
  readonly gaps: ReadonlyMap<string, string>;
}

/** More of them are folded, so that rows stay comparable. */
const UNFOLDED_FIELDS = 4;

function OtherFields({ row, fields, gaps }: OtherFieldsProps) {
  if (fields.length === 0) return null;
  const values = fields.map((field) => [field, row[field as keyof ResultRow]] as const);
  const list = (
    <dl className={styles.fields}>
      {values.map(([field, value]) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            <FieldValue field={field} gaps={gaps} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
  if (fields.length <= UNFOLDED_FIELDS) return list;
  const missing = values.filter(([, value]) => isEmptyValue(value));
  const supplied = missing.filter(([field]) => !gaps.has(field)).length;
  return (
    <details className={styles.payloads}>
      <summary>
        {fields.length} more fields: {supplied} empty, {missing.length - supplied} cannot be
        supplied
      </summary>
      {list}
    </details>
  );
}

/** The request, and the answer before it was normalized. */
function Payloads({ run }: { readonly run: SearchRun }) {
  return (
    <details className={styles.payloads}>
      <summary>Sent and received</summary>
      <JsonView
        label={`What was sent to ${run.preprocessor_name}`}
        fileName={`${run.id}-sent`}
        value={run.request_payload}
        openLevels={3}
      />
      {run.raw_payload ? (
        <JsonView
          label={`The raw answer of ${run.preprocessor_name}`}
          fileName={`${run.id}-raw`}
          value={run.raw_payload}
        />
      ) : (
        <p className="soft">
          The raw answer is kept only with the option <b>Raw answers</b>.
        </p>
      )}
    </details>
  );
}

/** A run that has not arrived. */
export const AwaitedColumn = ({ provider }: { readonly provider: string }) => (
  <section className={styles.column} aria-label={`${provider}, waiting`}>
    <header className={styles.head}>
      <h3>{provider}</h3>
      <Missing why="empty">waiting</Missing>
    </header>
    <Skeleton rows={5} />
  </section>
);
