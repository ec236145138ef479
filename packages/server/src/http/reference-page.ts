import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Hono } from 'hono';
import type { HttpEnv } from './exchange.ts';
import { programFile } from './program-file.ts';
import { answerFile, compressedBodies, contentHash, keepSuccess } from './static-file.ts';

const ADDRESS = '/docs/reference';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API reference · trawl docs</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${ADDRESS}/swagger-ui.css">
  </head>
  <body>
    <div class="swagger-ui"><div class="wrapper"><a class="link" href="/docs">← Documentation</a></div></div>
    <div id="reference"></div>
    <script src="${ADDRESS}/swagger-ui-bundle.js"></script>
    <script src="${ADDRESS}/start.js"></script>
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
  readonly read: () => Promise<Buffer<ArrayBuffer>>;
}

/** The build brings the viewer along; from sources it is the package's. */
const viewerFile = (name: string) => () =>
  readFile(
    programFile(`viewer/${name}`) ??
      createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`),
  );

const ASSETS: Readonly<Record<string, Asset>> = {
  [ADDRESS]: { type: 'text/html; charset=utf-8', read: async () => Buffer.from(PAGE) },
  [`${ADDRESS}/start.js`]: {
    type: 'text/javascript; charset=utf-8',
    read: async () => Buffer.from(START),
  },
  [`${ADDRESS}/swagger-ui-bundle.js`]: {
    type: 'text/javascript; charset=utf-8',
    read: viewerFile('swagger-ui-bundle.js'),
  },
  [`${ADDRESS}/swagger-ui.css`]: {
    type: 'text/css; charset=utf-8',
    read: viewerFile('swagger-ui.css'),
  },
};

/** Adds the API reference: one page, three files, read and compressed when first asked for. Needs no key. */
export function addReferencePage(app: Hono<HttpEnv>): void {
  for (const [path, { type, read }] of Object.entries(ASSETS)) {
    const file = keepSuccess(async () => {
      const content = await read();
      return { type, hash: contentHash(content), bodies: await compressedBodies(content) };
    });
    app.get(path, async (context) => answerFile(context, await file()));
  }
}
