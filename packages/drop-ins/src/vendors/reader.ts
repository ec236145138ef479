/**
 * Readers that take the address of a page behind their own, in the manner of https://jina.ai/reader
 */

import { z } from 'zod';
import { unreadText } from '../answers/texts.ts';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type Fetched,
  fetchRoute,
} from '../declaration/declaration.ts';
import { CHAIN_DECIDES, OWN_LIMITS, UNSUPPORTED } from '../declaration/values.ts';

const WHOLE = 'trawl returns whole pages';
const FORM = 'trawl has one form of markdown';

const seconds = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a number of seconds')
  .transform(Number);

const readBy = (method: 'GET' | 'POST') =>
  fetchRoute({
    path: method === 'GET' ? '/*' : '/',
    method,
    place: method === 'GET' ? 'none' : 'form',
    readsHeaders: true,
    rest: 'url',
    input: z.object({
      url: z.string().min(1, 'write the address of the page behind /compat/reader/'),
      accept: z.string().optional(),
      'x-return-format': z.enum(['markdown', 'text']).optional(),
      'x-no-cache': z.enum(['true', 'false']).optional(),
      'x-cache-tolerance': seconds.optional(),
    }),
    mapped: {
      url: '`urls`: the rest of the address, with its query; as it is, or percent-encoded as a whole. With POST, a member of the body, JSON or a form',
      accept: '`application/json`: an object with `data`; otherwise markdown',
      'x-return-format': '`options.content_format`: `markdown` or `text`',
      'x-no-cache': '`options.no_cache`',
      'x-cache-tolerance': '`options.max_age_seconds`',
    },
    ignored: {
      'x-timeout': OWN_LIMITS,
      'x-engine': CHAIN_DECIDES,
      'x-proxy': CHAIN_DECIDES,
      'x-locale': CHAIN_DECIDES,
      'x-respond-timing': CHAIN_DECIDES,
      'x-remove-overlay': CHAIN_DECIDES,
      'x-with-iframe': CHAIN_DECIDES,
      'x-with-shadow-dom': CHAIN_DECIDES,
      'x-md-link-style': FORM,
      'x-no-gfm': FORM,
      'x-keep-img-data-url': FORM,
    },
    refused: {
      'x-target-selector': WHOLE,
      'x-remove-selector': WHOLE,
      'x-wait-for-selector': UNSUPPORTED,
      'x-token-budget': WHOLE,
      'x-max-tokens': WHOLE,
      'x-markdown-chunking': WHOLE,
      'x-retain-images': UNSUPPORTED,
      'x-retain-links': UNSUPPORTED,
      'x-with-links-summary': UNSUPPORTED,
      'x-with-images-summary': UNSUPPORTED,
      'x-with-generated-alt': UNSUPPORTED,
      'x-respond-with': UNSUPPORTED,
      'x-set-cookie': 'trawl sends no cookies of its callers',
      'x-proxy-url': UNSUPPORTED,
      'x-user-agent': UNSUPPORTED,
      'x-referer': UNSUPPORTED,
      'x-robots-txt': UNSUPPORTED,
    },
    names: { urls: 'url' },
    ask: (input) => ({
      urls: [targetOf(input.url)],
      tier: 'default',
      contentFormat: input['x-return-format'] ?? 'markdown',
      maxAgeSeconds: input['x-no-cache'] === 'true' ? 0 : input['x-cache-tolerance'],
    }),
    answer: (fetched, { accept = '' }) => pageOf(fetched, accept.includes('application/json')),
  });

/** Clients encode the address or not; proxies make one slash of two. */
function targetOf(sent: string): string {
  const url = /^https?%3a/i.test(sent) ? decoded(sent) : sent;
  return url.replace(/^(https?:)\/(?!\/)/i, '$1//');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function pageOf(fetched: Fetched, asJson: boolean): DropInAnswer {
  const [row] = fetched.rows;
  const message = unreadText(fetched);
  if (!row || message !== undefined)
    return { status: 422, body: { data: null, code: 422, message } };
  const content = row.content ?? '';
  const type = row.content_format === 'text' ? 'text/plain' : 'text/markdown';
  if (!asJson) return { body: content, type: `${type}; charset=utf-8` };
  const { title, description = null, url } = row;
  return { body: { code: 200, data: { title, description, url, content } } };
}

const fault = ({ status, message }: DropInFault): DropInAnswer => ({
  status,
  body: { data: null, code: status, message },
});

export const readerDropIn: DropIn = {
  slug: 'reader',
  name: 'a reader',
  keys: [{ in: 'bearer' }],
  // a POST has the address in its body, so that fragments survive
  routes: [readBy('GET'), readBy('POST')],
  fault,
};
