import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the site, with everything a page may need to answer it. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The site's own address, without a slash at the end. */
  readonly url: string;
  /** The same machine on another port, which no redirect may lead to. */
  readonly otherUrl: string;
}

export type PageAnswer = (visit: Visit) => void;

type Headers = Readonly<Record<string, string | number>>;

export const HTML = 'text/html; charset=utf-8';

/** Sends the whole answer, with its length. */
export function send(
  { response }: Visit,
  body: string | Uint8Array,
  headers: Headers = {},
  status = 200,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, { 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

export function sendHtml(visit: Visit, html: string, status = 200, headers: Headers = {}): void {
  send(visit, html, { 'content-type': HTML, ...headers }, status);
}

/** An HTML page with a title and the given markup as its body. */
export function htmlPage(title: string, body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body>\n${body}\n</body></html>\n`;
}

/** Enough sentences for an article. */
export const STORY = [
  'The tide mill of Port Ellery turns twice a day and grinds what the valley brings.',
  'Its keeper writes down the height of the water, the weight of the grain and the hours of work.',
  'After twelve years the notebooks fill a shelf, and the town has begun to read them.',
];

export const STORY_HTML = STORY.map((sentence) => `<p>${sentence}</p>`).join('\n');
