import type { FetchPassage } from '@trawl/contract';
import type {
  Download,
  ExtractionOptions,
  PassageQuery,
  PieceQuery,
  QuotedText,
  QuoteMatch,
  Refreshes,
  ScoredPiece,
  TitledText,
  WantedQuote,
} from '@trawl/extract';
import type { PageReading } from '@trawl/providers';
import type { PageEvidence } from '../diagnosis/evidence.ts';
import type { PageRule } from '../diagnosis/page-rules.ts';
import type { Diagnosis, JudgedPage } from './page-reading.ts';

/** What an extraction thread is started with. */
export interface ExtractionSettings {
  /** Rules of the operator. */
  readonly pageRules: readonly PageRule[];
}

/** A task of an extraction thread. */
export type ExtractTask =
  /** Read a page from its bytes, and say whether it is one. */
  | { readonly kind: 'extract'; readonly download: Download; readonly options: ExtractionOptions }
  /** Say whether the text of another provider is a page. */
  | {
      readonly kind: 'diagnose';
      readonly evidence: PageEvidence;
      readonly wantsQuality: boolean;
      readonly wantsFindings: boolean;
    }
  /** Find the passages of a text that fit a query. */
  | { readonly kind: 'focus'; readonly content: string; readonly query: PassageQuery }
  /** Cut texts into pieces, and rate these by a query. */
  | { readonly kind: 'pieces'; readonly texts: readonly TitledText[]; readonly query: PieceQuery }
  /** Find quotes in texts. */
  | {
      readonly kind: 'quotes';
      readonly texts: readonly QuotedText[];
      readonly quotes: readonly WantedQuote[];
    };

/** A page with everything that is known about its text, so that it is examined only once. */
export interface ReadPage extends JudgedPage, Refreshes {
  /** Whether its markup has scripts. */
  readonly hasScripts: boolean;
}

export type ExtractAnswer =
  | {
      readonly kind: 'read';
      readonly reading: ReadPage | Extract<PageReading, { kind: 'verdict' }>;
      /** The page was so large that its thread should end, to free its memory. */
      readonly shouldEnd: boolean;
    }
  | Extract<Diagnosis, { kind: 'diagnosed' }>
  | { readonly kind: 'focused'; readonly passages: readonly FetchPassage[] }
  | { readonly kind: 'rated'; readonly pieces: readonly (readonly ScoredPiece[])[] }
  | { readonly kind: 'quoted'; readonly matches: readonly (QuoteMatch | null)[] }
  | { readonly kind: 'failed'; readonly reason: string };

export type FromExtractor =
  /** Sent once, when the thread can take its first task. */
  { readonly kind: 'ready' } | ExtractAnswer;
