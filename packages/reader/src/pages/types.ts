import type { Download, ExtractionOptions } from '@trawl/extract';
import type { FetchPlan, PageReading, PageVerdict } from '@trawl/providers';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import type { ReadPage } from './extract-protocol.ts';
import type {
  CheckOptions,
  Diagnosis,
  PassageFinder,
  PieceFinder,
  QuoteFinder,
  ReaderFault,
  ReaderLimits,
} from './page-reading.ts';

export type DownloadResult =
  | {
      readonly kind: 'downloaded';
      readonly download: Download;
      /** The price that the headers of a 402 state; null = none. */
      readonly price: string | null;
    }
  /** dns_error, forbidden_address, timeout, too_large, target_error, … */
  | { readonly kind: 'verdict'; readonly verdict: PageVerdict }
  | { readonly kind: 'cancelled' }
  | ReaderFault;

export interface DownloadLimits {
  readonly signal: AbortSignal;
  /** Limit for the whole download, redirects included. */
  readonly timeoutMs: number;
  /** The only hosts that it may ask, redirects included; null or absent = any public one. */
  readonly onlyHosts?: readonly string[] | null | undefined;
  /** The web rule against an address, redirects included; null = none. */
  readonly webRule?: FetchPlan['webRule'] | undefined;
  /** Whether markdown is asked for first. */
  readonly prefersMarkdown?: boolean;
}

/** Downloads pages under the address guard. Never throws. */
export interface Downloader {
  download(url: string, limits: DownloadLimits): Promise<DownloadResult>;
  close(): Promise<void>;
}

/** The outcome of reading a page's bytes. */
export type Extraction =
  | ReadPage
  | Extract<PageReading, { kind: 'verdict' }>
  | { readonly kind: 'cancelled' }
  | ReaderFault;

/** Reads page bodies on worker threads. Never throws. */
export interface Extractor {
  /** Reads bytes as a page. */
  extract(
    download: Download,
    options: ExtractionOptions,
    limits: ReaderLimits,
  ): Promise<Extraction>;
  /** Diagnoses whether a text is the page that was asked for. */
  diagnose(evidence: PageEvidence, limits: CheckOptions): Promise<Diagnosis>;
  /** Finds the passages of a text that fit a query; null = not in time. */
  focus: PassageFinder['find'];
  /** Cuts texts into pieces and rates these; null = not in time. */
  pieces: PieceFinder['find'];
  /** Finds quotes in texts; null = not in time. */
  quotes: QuoteFinder['find'];
  /** Starts a thread if none is running, so that the first text need not wait for it. */
  prepare(): void;
  load(): ReadingLoad;
  close(): Promise<void>;
}

/** How busy the threads are that read pages. */
export interface ReadingLoad {
  /** The most threads at once. */
  readonly threads: number;
  readonly busy: number;
  /** Pages that wait for a thread. */
  readonly waiting: number;
}

/** A job of these threads that has ended. */
export interface ObservedJob {
  /**
   * `diagnose`: only the text of a page that a provider sent was checked. `focus`: passages of a
   * text were found. `pieces`: texts were cut into pieces and rated. `quotes`: quotes were looked
   * for in texts.
   */
  readonly task: 'extract' | 'diagnose' | 'focus' | 'pieces' | 'quotes';
  /** `read`, or why it was not. */
  readonly outcome: string;
  /** Milliseconds until a thread took it, or it ended without one. */
  readonly waitedMs: number;
  /** Milliseconds from then on; null = no thread took it. */
  readonly readMs: number | null;
}

/** The outcome of rendering a page. */
export type RenderResult =
  | { readonly kind: 'rendered'; readonly download: Download }
  /** A short text about the page or the browser. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled' };

export interface RenderLimits extends DownloadLimits {
  /** The id of an API key; callers take turns for the browser. */
  readonly callerId: string;
}

/** Renders pages with their scripts, under the same guard as downloads. Never throws. */
export interface Renderer {
  render(url: string, limits: RenderLimits): Promise<RenderResult>;
  close(): Promise<void>;
}
