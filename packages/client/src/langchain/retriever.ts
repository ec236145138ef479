import { Document, type DocumentInterface } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import { ensureConfig, type RunnableConfig } from '@langchain/core/runnables';
import type { PerCallOptions } from '../client/requests.ts';
import { type FoundRow, failuresOf, rowsOf, type SearchAnswer } from '../contract/answers.ts';
import {
  ASK_NAMES,
  type AskOptions,
  searchFor,
  type WithClient,
  withClient,
} from '../tools/ask.ts';
import { namesOf } from '../values/names.ts';
import { documentsOrFailure, noText, type OnFailure } from './failures.ts';

/** Metadata of a row. A value that the provider did not send is null. */
export interface RowMetadata extends Record<string, unknown> {
  /** The row's URL. */
  readonly source: string | null;
  readonly title: string | null;
  readonly provider: string;
  readonly rank: number;
  readonly published: string | null;
  readonly query: string;
  readonly session_id: string;
  readonly interaction_id: string;
}

export interface TrawlRetrieverOptions extends BaseRetrieverInput, AskOptions {
  /** Tier, fields, providers, count and so on, as in the API. */
  readonly search?: PerCallOptions | undefined;
  /** Called with each provider that failed while others answered; `console.warn` when absent. */
  readonly onFailure?: OnFailure | undefined;
  /** Aborts every call of this retriever. The `signal` passed to `invoke` aborts one call. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES = [
  ...ASK_NAMES,
  ...namesOf<Omit<TrawlRetrieverOptions, keyof AskOptions>>({
    search: true,
    onFailure: true,
    signal: true,
    callbacks: true,
    tags: true,
    metadata: true,
    verbose: true,
  }),
];

/** The rows of a search as documents, provider by provider in the answer's order. */
export class TrawlRetriever extends BaseRetriever<RowMetadata> {
  static override lc_name(): string {
    return 'TrawlRetriever';
  }

  override lc_namespace = ['trawl', 'retrievers'];
  readonly #options: WithClient<TrawlRetrieverOptions>;

  constructor(options: TrawlRetrieverOptions = {}) {
    super(options);
    this.#options = withClient('the retriever', options, NAMES);
  }

  /** @throws NoDocumentsError when every provider failed */
  override async invoke(
    query: string,
    options?: Partial<RunnableConfig>,
  ): Promise<DocumentInterface<RowMetadata>[]> {
    // the base class does not pass the signal on
    const { signal } = ensureConfig(options);
    if (signal === undefined || signal === this.#options.signal)
      return super.invoke(query, options);
    const own = this.#options.signal;
    const either = own === undefined ? signal : AbortSignal.any([own, signal]);
    const bound = new TrawlRetriever({ ...this.#options, signal: either });
    return super.invoke.call(bound, query, options);
  }

  override async _getRelevantDocuments(query: string): Promise<DocumentInterface<RowMetadata>[]> {
    const { onFailure, signal } = this.#options;
    const answer = await searchFor({ query }, this.#options, signal);
    const rows = rowsOf(answer);
    const documents = rows.filter(hasText).map((row) => documentOf(row, answer));
    const failures = [...failuresOf(answer), ...rows.filter((row) => !hasText(row)).map(noText)];
    const hasAnswered = answer.preprocessor_runs.some(({ status }) => status === 'succeeded');
    return documentsOrFailure({ documents, failures, hasAnswered }, onFailure);
  }
}

/** The whole page of a row where it has one, else its excerpt, summary or title, in this order. */
const textOf = ({ full_content, excerpt, summary, title }: FoundRow): string =>
  full_content || excerpt || summary || title || '';

const hasText = (row: FoundRow): boolean => textOf(row) !== '';

function documentOf(row: FoundRow, answer: SearchAnswer): Document<RowMetadata> {
  const { provider, rank, query, url = null, title = null, publish_date = null, run_id } = row;
  return new Document({
    // the same page of the same provider has the same id in every search
    id: `${provider} ${url ?? `${run_id} ${rank}`}`,
    pageContent: textOf(row),
    metadata: {
      source: url,
      title,
      provider,
      rank,
      published: publish_date,
      query,
      session_id: answer.session_id,
      interaction_id: answer.interaction_id,
    },
  });
}
