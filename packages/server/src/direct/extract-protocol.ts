import type { PageReading } from '@trawl/providers';
import type { Download, ExtractionWish } from './types.ts';

export interface ToExtractor {
  readonly download: Download;
  readonly wish: ExtractionWish;
}

export type FromExtractor =
  | { readonly kind: 'read'; readonly reading: PageReading }
  | { readonly kind: 'failed'; readonly reason: string };
