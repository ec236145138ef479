import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** `npm run dev -w @trawl/console` passes calls on to the server at TRAWL_URL. */
const API_URL = process.env.TRAWL_URL ?? 'http://127.0.0.1:8080';
const BASE = '/console/';

/** Adds a script that runs before the page is drawn, as a file with the hash of its content. */
function earlyScript(path: string): Plugin {
  const name = path.replace(/.*\//, '');
  return {
    name: 'early-script',
    buildStart() {
      // while developing, it is served from its place
      if (this.meta.watchMode) return;
      const source = readFileSync(new URL(path, import.meta.url), 'utf8');
      this.emitFile({ type: 'asset', name, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const built = Object.values(bundle).find(
          (file) => file.type === 'asset' && file.names.includes(name),
        );
        const src = `${BASE}${built?.fileName ?? path}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head' }];
      },
    },
  };
}

export default defineConfig({
  base: BASE,
  plugins: [react(), earlyScript('src/app/theme-start.js')],
  // the server puts a fresh nonce in its place: packages/server/src/sites/console-site.ts
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    // a file, so that the policy of the page holds for it
    assetsInlineLimit: 0,
    manifest: true,
    // required by the licences of the libraries inside
    license: true,
    // the twins are made by scripts/console
    reportCompressedSize: false,
    // module preload is known to every browser of the target
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/console/api': API_URL } },
});
