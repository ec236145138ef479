import type { PageReading } from '@trawl/providers';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import type { PageRule } from '../diagnosis/page-rules.ts';
import type { Diagnosis, JudgedPage } from './page-reading.ts';
import type { Download, ExtractionWish } from './types.ts';

/** What an extraction thread is started with. */
export interface ExtractionSettings {
  /** An operator's own. */
  readonly pageRules: readonly PageRule[];
}

/** What one extraction thread is asked for. */
export type ExtractTask =
  /** Read a page from its bytes, and say whether it is one. */
  | { readonly kind: 'extract'; readonly download: Download; readonly wish: ExtractionWish }
  /** Say whether the text of another provider is a page. */
  | { readonly kind: 'diagnose'; readonly evidence: PageEvidence };

/** A page with all that is to be known of its text, so that nobody else has to look through it. */
export interface ReadPage extends JudgedPage {
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
  | Extract<Diagnosis, { kind: 'diagnosed' }>
  | { readonly kind: 'failed'; readonly reason: string };

export type FromExtractor =
  /** Sent once, when the thread can take its first task. */
  { readonly kind: 'ready' } | ExtractAnswer;
