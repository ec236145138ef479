import type { CallPrice, Cost, KeylessOffer } from '@trawl/router';
import type { UpstreamFailure } from '@trawl/upstream';

/** The outcome of asking a provider once. */
export type ProbeEnding =
  | { readonly kind: 'answered'; readonly rows: number | null }
  /** It works, and reports that this page could not be read. */
  | { readonly kind: 'page_failed'; readonly code: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure };

export type ProbeResult = ProbeEnding & {
  /** null = nothing was sent. */
  readonly latencyMs: number | null;
  readonly cost: Cost;
};

/**
 * One provider in one of its two roles, with one of its keys, and the cheapest call that shows
 * whether it works.
 */
export interface Probe {
  readonly role: 'search' | 'fetch';
  readonly provider: string;
  /** Which of its several keys or addresses is used; undefined = it has one. */
  readonly access: string | undefined;
  /** Why it cannot be asked; undefined = it can. */
  readonly obstacle: Obstacle | undefined;
  /** How it answers without a key; absent = it does not, or has one. */
  readonly keyless?: KeylessOffer | undefined;
  /** Whether its own key is sent. */
  readonly hasKey: boolean;
  readonly price: CallPrice;
  /** Never throws. */
  readonly ask: () => Promise<ProbeResult>;
}

export type Obstacle =
  | {
      readonly kind: 'not_configured';
      readonly setting: string | undefined;
      readonly reason?: string | undefined;
    }
  | { readonly kind: 'other_pages' };
