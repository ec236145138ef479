import type { ContentFormat, PageField } from '@trawl/contract';

/** The answer for one address after its redirects. */
export interface Download {
  /** The last address of the redirects. */
  readonly url: string;
  readonly status: number;
  /** The header as received. */
  readonly contentType: string | null;
  /** Content-Language, if sent. */
  readonly contentLanguage: string | null;
  /** Unpacked. */
  readonly body: Uint8Array;
}

export interface ExtractionOptions {
  readonly contentFormat: ContentFormat;
  /** Page fields that will be returned; others need not be made. */
  readonly fields: ReadonlySet<PageField>;
}
