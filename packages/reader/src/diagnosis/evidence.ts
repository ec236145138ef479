import type { ContentFormat } from '@trawl/contract';

/** What is known about a delivered page, from any provider. */
export interface PageEvidence {
  /** As the caller wrote it. */
  readonly url: string;
  /** The address that answered, if known. */
  readonly finalUrl: string | null;
  readonly content: string;
  /** The content with the characters that no reader sees; absent = it has none. */
  readonly given?: string;
  readonly contentFormat: ContentFormat;
  readonly title: string | null;
  /** The target's status, if known. */
  readonly httpStatus: number | null;
  readonly contentType: string | null;
  /** The page's markup, if it was delivered. */
  readonly html: string | null;
}
