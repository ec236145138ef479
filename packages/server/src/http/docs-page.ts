import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Hono } from 'hono';
import type { HttpEnv } from './exchange.ts';

/** The page's own files and those of the viewer that it loads; nothing comes from elsewhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>trawl API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** No validator: it is a service elsewhere. A key that is typed in stays in the page's memory. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

interface Asset {
  readonly type: string;
  readonly read: () => Promise<Buffer | string>;
}

const viewerFile = (name: string) => () =>
  readFile(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

const ASSETS: Readonly<Record<string, Asset>> = {
  '/docs': { type: 'text/html; charset=utf-8', read: async () => PAGE },
  '/docs/start.js': { type: 'text/javascript; charset=utf-8', read: async () => START },
  '/docs/swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    read: viewerFile('swagger-ui-bundle.js'),
  },
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: viewerFile('swagger-ui.css') },
};

const compress = promisify(gzip);

/** Made once; a failure is told to whoever asked and tried again for the next. */
function keepSuccess<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Adds the API reference: one page, three files, read and compressed when first asked for. Needs no key. */
export function addDocsPage(app: Hono<HttpEnv>): void {
  for (const [path, asset] of Object.entries(ASSETS)) {
    const content = keepSuccess(asset.read);
    const compressed = keepSuccess(async () => compress(await content()));
    app.get(path, async (context) => {
      const headers = {
        'content-type': asset.type,
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        vary: 'accept-encoding',
      };
      if (/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) {
        const body = new Uint8Array(await compressed());
        return context.body(body, 200, { ...headers, 'content-encoding': 'gzip' });
      }
      return context.body(new Uint8Array(Buffer.from(await content())), 200, headers);
    });
  }
}
