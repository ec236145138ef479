import type { ContentFormat, PageField, PageFinding } from '@trawl/contract';
import type { PageReading, ParsedPage } from '@trawl/providers';

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
  /** The body ended too early. */
  readonly isPartial?: boolean;
}

export interface ExtractionOptions {
  readonly contentFormat: ContentFormat;
  /** Page fields that will be returned; others need not be made. */
  readonly fields: ReadonlySet<PageField>;
  /** Whether to look for what the page hides. Default true. */
  readonly wantsFindings?: boolean;
}

/** A document as a page, or why it is not one. */
export type DocumentReading = Exclude<PageReading, { kind: 'pending' }> & ThreadUse;

/** What reading a document left behind. */
export interface ThreadUse {
  /** A library still works on it, or a limit stays in place: the thread must end. */
  readonly isThreadSpent?: boolean;
}

/** Where the script of a page sends the browser. */
export interface ScriptMove {
  /** An absolute http(s) URL; null = the script puts it together. */
  readonly target: string | null;
  /** Another page of the same host, by the same scheme. */
  readonly isNear: boolean;
}

/**
 * The targets of a page's automatic redirects (meta refresh), as absolute http(s) URLs; null = no
 * redirect.
 */
export interface Refreshes {
  /** Where its script moves on to at once, if it has hardly any text; null = nowhere. */
  readonly move: ScriptMove | null;
  readonly refresh: string | null;
  /** For a browser that does not run scripts. */
  readonly refreshWithoutScripts: string | null;
}

/** A page with the predicted quality of its text. */
export interface ExtractedPage extends Refreshes, ThreadUse {
  readonly kind: 'page';
  readonly page: ParsedPage;
  /** The content with the characters that no reader sees, which tell a text from a file. */
  readonly given: string;
  /** From 0 to 1; null = not predicted, because it is not a web page or has no text. */
  readonly quality: number | null;
  /** What the page hides, or says to programs. */
  readonly findings: readonly PageFinding[];
}

/** What became of a download. */
export type ReadDocument = ExtractedPage | Extract<DocumentReading, { kind: 'verdict' }>;
