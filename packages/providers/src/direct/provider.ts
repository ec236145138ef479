/** Our own reader; docs/providers/direct.md. The server does its work. */
import { defineOwnReader } from '../declaration/declare.ts';
import { pageCapabilities } from '../declaration/fetch.ts';

export const direct = defineOwnReader({
  slug: 'direct',
  name: 'Direct',
  description:
    "The service's own guarded reader: HTML, PDF, docx, xlsx, pptx, EPUB, text, JSON and feeds, without a key; with a browser where DIRECT_BROWSER names one.",
  docsUrl: '/docs',
  dataUse: {
    training: 'no',
    retention: 'none outside of this server',
    region: 'your own',
    source: null,
    checked: '2026-11-23',
    note: "The service's own reader: no vendor sees the request, only the page's own site.",
  },
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['markdown', 'text'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'http_status',
      'canonical_url',
      'cache_state',
      'js_rendered',
      'pdf_mode',
      'description',
      'raw_html',
      'html',
      'page_count',
      'content_type',
      'language',
      'author',
      'publish_date',
      'favicon',
      'thumbnail',
      'links',
      'images',
      'metadata',
      'media',
      'structured',
    ],
  }),
  timeoutMs: 30_000,
  concurrency: 20,
});
