import type { ContentFormat } from '@trawl/contract';

/** What is known of a page that came, whoever delivered it. */
export interface PageEvidence {
  /** As the caller wrote it. */
  readonly url: string;
  /** The address that answered, where it is known. */
  readonly finalUrl: string | null;
  readonly content: string;
  readonly contentFormat: ContentFormat;
  readonly title: string | null;
  /** The target's status, where it is known. */
  readonly httpStatus: number | null;
  readonly contentType: string | null;
  /** The page's markup, where it came along. */
  readonly html: string | null;
}
