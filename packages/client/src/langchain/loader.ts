import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import { Document } from '@langchain/core/documents';
import { type FetchAnswer, failuresOf, pagesOf } from '../contract/answers.ts';
import type { FetchOptions, FetchRow } from '../contract/types.ts';
import { ASK_NAMES, type AskOptions, askedBy, type WithClient, withClient } from '../tools/ask.ts';
import { namesOf } from '../values/names.ts';
import { documentsOrFailure, noText, type OnFailure } from './failures.ts';

/** Metadata of a page. A value that the provider did not send is null. */
export interface PageMetadata extends Record<string, unknown> {
  /** The requested URL. */
  readonly source: string;
  readonly title: string | null;
  readonly provider: string | null;
  readonly published: string | null;
  /** Whether the text was cut; `content_length` is the length of the whole text. */
  readonly truncated: boolean;
  readonly content_length: number | null;
  readonly session_id: string;
  readonly interaction_id: string;
}

export interface TrawlLoaderOptions extends AskOptions {
  readonly urls: readonly string[];
  /** Tier, providers, `inline_max_chars` and so on, as in the API. */
  readonly fetch?: FetchOptions | undefined;
  /** Called with each page that failed while others succeeded; `console.warn` when absent. */
  readonly onFailure?: OnFailure | undefined;
  readonly signal?: AbortSignal | undefined;
}

const NAMES = [
  ...ASK_NAMES,
  ...namesOf<Omit<TrawlLoaderOptions, keyof AskOptions>>({
    urls: true,
    fetch: true,
    onFailure: true,
    signal: true,
  }),
];

/** Pages as documents, in the order of their URLs. */
export class TrawlLoader extends BaseDocumentLoader {
  readonly #options: WithClient<TrawlLoaderOptions>;

  constructor(options: TrawlLoaderOptions) {
    super();
    this.#options = withClient('the loader', options, NAMES);
  }

  /** @throws NoDocumentsError when no page could be read */
  override async load(): Promise<Document<PageMetadata>[]> {
    const { client, urls, fetch, sessionId: session_id, onFailure, signal } = this.#options;
    const answer = await client.fetch(
      { urls, session_id, options: fetch },
      askedBy(this.#options, signal),
    );
    const read = pagesOf(answer).filter(({ status }) => status === 'succeeded');
    const documents = read.filter(({ content }) => content).map((page) => documentOf(page, answer));
    const failures = [...failuresOf(answer), ...read.filter(({ content }) => !content).map(noText)];
    return documentsOrFailure(
      { documents, failures, hasAnswered: documents.length > 0 },
      onFailure,
    );
  }
}

function documentOf(page: FetchRow, answer: FetchAnswer): Document<PageMetadata> {
  const { url, title, provider, content, publish_date = null, truncated, content_length } = page;
  return new Document({
    id: url,
    pageContent: content ?? '',
    metadata: {
      source: url,
      title,
      provider,
      published: publish_date,
      truncated,
      content_length,
      session_id: answer.session_id,
      interaction_id: answer.interaction_id,
    },
  });
}
