import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of a composed web. */
export interface ComposedPage {
  readonly title: string;
  /** Markdown, or HTML that begins with a tag. */
  readonly body: string;
  /** What a search says about it. */
  readonly summary?: string;
  /** 200 when absent; `hang` never answers. */
  readonly status?: number | 'hang';
}

/** Two search vendors and a site on one loopback port. */
export interface ComposedWeb {
  /** The settings of a server that asks these vendors, and reads pages itself. */
  readonly env: Readonly<Record<string, string>>;
  readonly urlOf: (name: string) => string;
  /** Paths that were asked for, in order; searches by their vendor. */
  readonly asked: string[];
  /** What the vendors find; null = they fail; `hang` = they never answer. */
  found: Record<'exa' | 'brave', readonly string[] | null | 'hang'>;
  pages: Record<string, ComposedPage>;
  readonly stop: () => Promise<void>;
}

export async function composedWeb(): Promise<ComposedWeb> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    request.resume();
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const vendor = pathname.includes('/exa/') ? 'exa' : 'brave';
    if (!pathname.startsWith('/p/')) {
      asked.push(vendor);
      answerSearch(web, vendor, response);
      return;
    }
    asked.push(pathname);
    const page = web.pages[pathname.slice(3)];
    if (page?.status === 'hang') return;
    const isHtml = page?.body.startsWith('<');
    response
      .writeHead(page?.status ?? (page ? 200 : 404), {
        'content-type': isHtml ? 'text/html; charset=utf-8' : 'text/markdown; charset=utf-8',
      })
      .end(page?.body ?? 'Not here');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const web: ComposedWeb = {
    env: {
      EXA_BASE_URL: `${url}/exa`,
      BRAVE_BASE_URL: `${url}/brave`,
      FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      FETCH_CHAIN: 'direct',
      DEFAULT_SEARCH_PROVIDERS: 'exa,brave',
    },
    urlOf: (name) => `${url}/p/${name}`,
    asked,
    found: { exa: [], brave: [] },
    pages: {},
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return web;
}

function answerSearch(
  { found, pages, urlOf }: ComposedWeb,
  vendor: 'exa' | 'brave',
  response: http.ServerResponse,
): void {
  const names = found[vendor];
  if (names === 'hang') return;
  if (names === null) {
    // the one retry comes at once
    const headers = { 'content-type': 'application/json', 'retry-after': '0' };
    response.writeHead(500, headers).end('{}');
    return;
  }
  const rows = names.map((name) => ({ url: urlOf(name), ...pages[name] }));
  const body =
    vendor === 'exa'
      ? {
          requestId: 'r',
          results: rows.map(({ url, title, summary }) => ({
            id: url,
            url,
            title,
            highlights: summary === undefined ? [] : [summary],
          })),
        }
      : {
          type: 'search',
          web: {
            type: 'search',
            results: rows.map(({ url, title, summary }) => ({ url, title, description: summary })),
          },
        };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const WORDS =
  'harbour gull boat wind stone paper garden winter river market lantern bridge carpet violin'.split(
    ' ',
  );

/** Paragraphs that say nothing, always the same for a seed. */
export function filler(seed: number, paragraphs: number): string {
  let state = seed * 7_919 + 17;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const sentence = () =>
    `The ${WORDS[next(14)]} of ${WORDS[next(14)]} number ${next(9_000)} is near a ${WORDS[next(14)]} and a ${WORDS[next(14)]}.`;
  const paragraph = () => Array.from({ length: 5 }, sentence).join(' ');
  return Array.from({ length: paragraphs }, paragraph).join('\n\n');
}
