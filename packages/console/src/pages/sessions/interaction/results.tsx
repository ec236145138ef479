import type { SearchOutput } from '@trawl/contract';
import { Badge } from '../../../parts/badge.tsx';
import { ExternalLink } from '../../../parts/external-link.tsx';
import { EmptyState } from '../../../parts/region.tsx';
import { hostOf } from '../../../parts/web-address.ts';
import { counted } from '../shared/words.ts';
import styles from './interaction.module.css';
import { PageText } from './page-text.tsx';

/** What a search run found, best first. */
export function Results({ output }: { readonly output: SearchOutput }) {
  const { results, answer } = output;
  if (results.length === 0 && !answer) {
    return (
      <EmptyState
        icon="search"
        text="The provider answered, and found nothing for this query: ask in other words, or add a provider."
      />
    );
  }
  return (
    <div className="stack">
      {answer && (
        <section aria-label="Answer of the provider">
          <h3>Answer</h3>
          <PageText text={answer.text} name="answer" />
        </section>
      )}
      <p className="soft">{counted(results.length, 'result')}</p>
      <ol className={styles.results}>
        {results.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their places
          <li key={index} value={row.rank ?? index + 1}>
            <ResultRow row={row} />
          </li>
        ))}
      </ol>
    </div>
  );
}

type Row = SearchOutput['results'][number];

function ResultRow({ row }: { readonly row: Row }) {
  const texts = [
    ['Summary', row.summary],
    ['Excerpt', row.excerpt],
  ] as const;
  return (
    <article className="stack-tight">
      <p className={styles.title} dir="auto">
        <ExternalLink href={row.url}>{row.title ?? 'no title'}</ExternalLink>
      </p>
      {row.url !== undefined && (
        <p className={`soft ${styles.url}`}>
          <Badge>{hostOf(row.url)}</Badge> {row.url}
        </p>
      )}
      {texts.map(([name, text]) =>
        text ? (
          <p key={name} className={styles.text} dir="auto">
            {text}
          </p>
        ) : null,
      )}
      {row.full_content && (
        <details>
          <summary>Page text</summary>
          <PageText text={row.full_content} name="page" />
        </details>
      )}
    </article>
  );
}
