import type { PageReading, PageVerdict, ParsedPage } from '@trawl/providers';
import type { PageEvidence } from '../fetch/evidence.ts';
import type { Download, ExtractionWish } from './types.ts';

/** What one extraction thread is asked for. */
export type ExtractTask =
  /** Read a page from its bytes, and say whether it is one. */
  | { readonly kind: 'extract'; readonly download: Download; readonly wish: ExtractionWish }
  /** Say whether the text of another provider is a page. */
  | { readonly kind: 'diagnose'; readonly evidence: PageEvidence };

/** A page with all that is to be known of its text, so that nobody else has to look through it. */
export interface ReadPage {
  readonly kind: 'page';
  readonly page: ParsedPage;
  /** What stands in the way of taking it for what was asked for; null = a page. */
  readonly verdict: PageVerdict | null;
  /** Where the page sends its reader on by itself, as an absolute http(s) URL; null = nowhere. */
  readonly refresh: string | null;
  /** Its markup has scripts. */
  readonly hasScripts: boolean;
}

export type ExtractAnswer =
  | {
      readonly kind: 'read';
      readonly reading: ReadPage | Extract<PageReading, { kind: 'verdict' }>;
      /** The page was so large that its thread had better end, which gives its memory back. */
      readonly isSpent: boolean;
    }
  | { readonly kind: 'diagnosed'; readonly verdict: PageVerdict | null }
  | { readonly kind: 'failed'; readonly reason: string };

export type FromExtractor =
  /** Sent once, when the thread can take its first task. */
  { readonly kind: 'ready' } | ExtractAnswer;
