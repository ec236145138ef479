import type { DropIn } from './declaration/declaration.ts';
import { bingDropIn } from './vendors/bing.ts';
import { braveDropIn } from './vendors/brave.ts';
import { exaDropIn } from './vendors/exa.ts';
import { firecrawlDropIn } from './vendors/firecrawl.ts';
import { googleDropIn } from './vendors/google.ts';
import { jinaDropIn } from './vendors/jina.ts';
import { ollamaDropIn } from './vendors/ollama.ts';
import { openWebuiDropIn } from './vendors/open-webui.ts';
import { perplexityDropIn } from './vendors/perplexity.ts';
import { readerDropIn } from './vendors/reader.ts';
import { searxngDropIn } from './vendors/searxng.ts';
import { serperDropIn } from './vendors/serper.ts';
import { tavilyDropIn } from './vendors/tavily.ts';

/** Vendors and readers whose clients are served below `/compat/<slug>`. */
export const DROP_INS: readonly DropIn[] = [
  tavilyDropIn,
  exaDropIn,
  firecrawlDropIn,
  braveDropIn,
  searxngDropIn,
  readerDropIn,
  perplexityDropIn,
  openWebuiDropIn,
  serperDropIn,
  jinaDropIn,
  ollamaDropIn,
  googleDropIn,
  bingDropIn,
];
