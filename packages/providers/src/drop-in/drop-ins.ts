import { braveDropIn } from './brave.ts';
import type { DropIn } from './declaration.ts';
import { exaDropIn } from './exa.ts';
import { firecrawlDropIn } from './firecrawl.ts';
import { searxngDropIn } from './searxng.ts';
import { tavilyDropIn } from './tavily.ts';

/** Vendors whose clients are served below `/compat/<slug>`. */
export const DROP_INS: readonly DropIn[] = [
  tavilyDropIn,
  exaDropIn,
  firecrawlDropIn,
  braveDropIn,
  searxngDropIn,
];
