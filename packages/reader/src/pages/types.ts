import type { ContentFormat, PageField } from '@trawl/contract';
import type { PageReading, PageVerdict } from '@trawl/providers';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import type { ReadPage } from './extract-protocol.ts';
import type { Diagnosis, ReaderFault, ReaderLimits } from './page-reading.ts';

/** What came over the wire for one address, redirects followed. */
export interface Download {
  /** The last address of the redirects. */
  readonly url: string;
  readonly status: number;
  /** The header as it came. */
  readonly contentType: string | null;
  /** Content-Language, where it came. */
  readonly contentLanguage: string | null;
  /** Unpacked. */
  readonly body: Uint8Array;
}

export type DownloadResult =
  | { readonly kind: 'downloaded'; readonly download: Download }
  /** dns_error, forbidden_address, timeout, too_large, target_error, … */
  | { readonly kind: 'verdict'; readonly verdict: PageVerdict }
  | { readonly kind: 'cancelled' };

export interface DownloadLimits {
  readonly signal: AbortSignal;
  /** Bound of the whole download, redirects included. */
  readonly timeoutMs: number;
}

/** The guarded way to a page that somebody else named. Never throws. */
export interface Downloader {
  download(url: string, limits: DownloadLimits): Promise<DownloadResult>;
  close(): Promise<void>;
}

export interface ExtractionWish {
  readonly contentFormat: ContentFormat;
  /** Page fields that will be shown; what is not among them need not be made. */
  readonly fields: ReadonlySet<PageField>;
}

/** What came of reading a page's bytes. */
export type Extraction =
  | ReadPage
  | Extract<PageReading, { kind: 'verdict' }>
  | { readonly kind: 'cancelled' }
  | ReaderFault;

/** Looks through page bodies, away from the main thread. Never throws. */
export interface Extractor {
  /** Turns bytes into a page. */
  extract(download: Download, wish: ExtractionWish, limits: ReaderLimits): Promise<Extraction>;
  /** Looks for what shows that a text is not the page that was asked for. */
  diagnose(evidence: PageEvidence, limits: ReaderLimits): Promise<Diagnosis>;
  /** Starts a thread if there is none, so that the first text does not wait for it. */
  prepare(): void;
  close(): Promise<void>;
}

/** What a browser makes of a page whose scripts draw it. */
export type RenderResult =
  | { readonly kind: 'rendered'; readonly download: Download }
  /** In a few words, about the page or the browser. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

export interface RenderLimits extends DownloadLimits {
  /** The API keys take turns for the browser. */
  readonly callerId: string;
}

/** Runs the scripts of a page, under the same guard as a download. Never throws. */
export interface Renderer {
  render(url: string, limits: RenderLimits): Promise<RenderResult>;
  close(): Promise<void>;
}
