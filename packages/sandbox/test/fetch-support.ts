import type { Sandbox } from '../src/index.ts';
import { isObject } from '../src/util/json.ts';
import { type Answer, answerOf } from './support.ts';

type Headers = Readonly<Record<string, string>>;

/** The request for one page to each vendor, with all its options. */
const CALLS: Readonly<
  Record<string, { path: string; headers: Headers; body(url: string): unknown }>
> = {
  exa: {
    path: '/contents',
    headers: { 'x-api-key': 'test-key' },
    body: (url) => ({ urls: [url], text: true }),
  },
  firecrawl: {
    path: '/v2/scrape',
    headers: { authorization: 'Bearer test-key' },
    body: (url) => ({ url, formats: ['markdown', 'html', 'rawHtml', 'links', 'images'] }),
  },
  tavily: {
    path: '/extract',
    headers: { authorization: 'Bearer test-key' },
    body: (url) => ({ urls: [url], include_images: true }),
  },
  parallel: {
    path: '/v1/extract',
    headers: { 'x-api-key': 'test-key' },
    body: (url) => ({ urls: [url], advanced_settings: { full_content: true } }),
  },
  deepseek: {
    path: '/v1/tools/fetch',
    headers: { authorization: 'Bearer test-key' },
    body: (url) => ({ url }),
  },
  linkup: {
    path: '/v1/fetch',
    headers: { authorization: 'Bearer test-key' },
    body: (url) => ({ url, renderJs: true, includeRawContent: true, extractImages: true }),
  },
  you: {
    path: '/v1/contents',
    headers: { 'x-api-key': 'test-key' },
    body: (url) => ({ urls: [url], formats: ['markdown', 'html', 'metadata'], max_age: 0 }),
  },
  tinyfish: {
    path: '/v1/fetch',
    headers: { 'x-api-key': 'test-key' },
    body: (url) => ({ urls: [url], links: true, image_links: true }),
  },
  jina: {
    path: '/',
    headers: { accept: 'application/json' },
    body: (url) => ({ url }),
  },
};

export const FETCHERS = Object.keys(CALLS);

/** One page from one vendor, requested in that vendor's way. */
export async function fetchPage(sandbox: Sandbox, vendor: string, url: string): Promise<Answer> {
  const call = CALLS[vendor];
  if (!call) throw new Error(`no way to ask ${vendor}`);
  const response = await fetch(`${sandbox.baseUrl(vendor)}${call.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...call.headers },
    body: JSON.stringify(call.body(url)),
  });
  return answerOf(response);
}

/** The page's text, wherever the vendor puts it; undefined without text. */
export function contentIn(vendor: string, { text }: Answer): string | undefined {
  const body: unknown = JSON.parse(text);
  const places: Readonly<Record<string, readonly (string | number)[]>> = {
    exa: ['results', 0, 'text'],
    firecrawl: ['data', 'markdown'],
    tavily: ['results', 0, 'raw_content'],
    parallel: ['results', 0, 'full_content'],
    linkup: ['markdown'],
    deepseek: ['content'],
    you: [0, 'markdown'],
    tinyfish: ['results', 0, 'text'],
    jina: ['data', 'content'],
  };
  const found = valueAt(body, ...(places[vendor] ?? []));
  return typeof found === 'string' ? found : undefined;
}

/** The value at a path of names and indexes. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? found[step] : undefined;
    else found = isObject(found) ? found[step] : undefined;
  }
  return found;
}
