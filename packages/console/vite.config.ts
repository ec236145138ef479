import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run dev -w @trawl/console` passes calls on to the server at TRAWL_URL. */
const API_URL = process.env.TRAWL_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  // the server puts a fresh nonce in its place: packages/server/src/http/console-site.ts
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
