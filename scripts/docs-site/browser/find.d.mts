import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

/** The best sections for what a reader typed. */
export function find(index: MiniSearch, text: string): readonly SearchResult[];
