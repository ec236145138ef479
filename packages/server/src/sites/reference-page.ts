import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Hono } from 'hono';
import {
  answerFile,
  compressedBodies,
  contentHash,
  keepSuccess,
  type StaticFile,
} from '../http/answer/static-file.ts';
import type { HttpEnv } from '../http/exchange.ts';
import { programFile } from './built-files.ts';

/** Where the API reference is served. */
export const REFERENCE = '/docs/reference';

/** For a start from sources, without the built documentation and so without its frame. */
const BARE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>API reference · trawl docs</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${REFERENCE}/swagger-ui.css">
    <script defer src="${REFERENCE}/swagger-ui-bundle.js"></script>
    <script defer src="${REFERENCE}/start.js"></script>
  </head>
  <body>
    <div class="swagger-ui"><div class="wrapper"><a class="link" href="/docs">← Documentation</a></div></div>
    <div id="reference"></div>
  </body>
</html>
`;

/**
 * Follows the colours of the system. Optional parameters are left empty: the viewer would fill in
 * their examples, and a request that is tried out would be filtered by them. No validator, since it
 * is a service elsewhere. A key that is typed in stays in the page's memory.
 */
const START = `const dark = matchMedia('(prefers-color-scheme: dark)');
const followColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followColours);
followColours();

function withoutOptionalExamples(spec) {
  const operations = Object.values(spec.paths).flatMap((path) => Object.values(path));
  for (const { parameters = [] } of operations) {
    for (const parameter of parameters) {
      if (parameter.required) continue;
      delete parameter.example;
      delete parameter.schema?.example;
    }
  }
  return spec;
}

async function open() {
  const answer = await fetch('/openapi.json');
  if (!answer.ok) throw new Error('GET /openapi.json answered ' + answer.status);
  SwaggerUIBundle({
    spec: withoutOptionalExamples(await answer.json()),
    dom_id: '#reference',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: false,
    validatorUrl: null,
  });
}

open().catch((error) => {
  document.getElementById('reference').textContent =
    'The API reference could not be loaded: ' + error.message + '. Reload the page to try again.';
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
  [`${REFERENCE}/start.js`]: {
    type: 'text/javascript; charset=utf-8',
    read: async () => Buffer.from(START),
  },
  [`${REFERENCE}/swagger-ui-bundle.js`]: {
    type: 'text/javascript; charset=utf-8',
    read: viewerFile('swagger-ui-bundle.js'),
  },
  [`${REFERENCE}/swagger-ui.css`]: {
    type: 'text/css; charset=utf-8',
    read: viewerFile('swagger-ui.css'),
  },
};

/**
 * Adds the API reference: one page and three files, read and compressed when first asked for. Needs
 * no key.
 * @param framedPage The page in the frame of the documentation; undefined where that is not built.
 */
export function addReferencePage(
  app: Hono<HttpEnv>,
  framedPage: () => Promise<StaticFile | undefined>,
): void {
  for (const [path, asset] of Object.entries(ASSETS)) {
    const file = keepSuccess(() => compressed(asset));
    app.get(path, async (context) => answerFile(context, await file()));
  }
  const bare = keepSuccess(() =>
    compressed({ type: 'text/html; charset=utf-8', read: async () => Buffer.from(BARE_PAGE) }),
  );
  app.get(REFERENCE, async (context) =>
    answerFile(context, (await framedPage()) ?? (await bare())),
  );
}

async function compressed({ type, read }: Asset): Promise<StaticFile> {
  const content = await read();
  return { type, hash: contentHash(content), bodies: await compressedBodies(content) };
}
