import { listed, type Operation } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import { combination } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isTrueAt, type JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Answered, split, type Target, targetsOf } from '../../web/target.ts';
import { pageDocument, pageHtml, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const ROW = { title: 'title', url: 'url', date: 'published_date', snippets: [{ name: 'text' }] };

/** https://docs.tinyfish.ai/fetch-api/reference */
export const fetch: Omit<Operation, 'path'> = {
  method: 'POST',
  parameters: api.fetch,
  combinations: api.fetchCombinations,
  check: ({ urls }) =>
    listed(urls).length === 0 ? [combination('urls must not be empty', 'urls')] : [],
  answer: fetched,
};

/** A 200 in any case; each URL is in one of the two lists. */
function fetched(request: VendorRequest, options: JsonObject): JsonObject {
  const { got, errors } = split(targetsOf(request.faults, listed(options.urls)), errorOf);
  const rows = got.map((target) => rowOf(target, options));
  return { results: finishRows(request, rows, ROW), errors };
}

function rowOf({ asked: url, page }: Answered, options: JsonObject): JsonObject {
  const urls = (items: readonly { readonly url: string }[]) => items.map((item) => item.url);
  return {
    url,
    final_url: page.url,
    title: page.title,
    description: page.description,
    language: page.language,
    author: page.author,
    published_date: page.published?.slice(0, 10) ?? null,
    format: options.format ?? 'markdown',
    text: textOf(page, options),
    links: isTrueAt(options, 'links') ? urls(page.links) : undefined,
    image_links: isTrueAt(options, 'image_links') ? urls(page.images) : undefined,
    latency_ms: (4_000 + diceFor('tinyfish latency', page.url).below(9_000)) / 10,
  };
}

function textOf(page: WebPage, options: JsonObject): unknown {
  if (options.format === 'json') return { title: page.title, blocks: page.blocks };
  if (options.format !== 'html') return pageMarkdown(page);
  return options.include_html_head === true ? pageDocument(page) : pageHtml(page);
}

/** Reason codes of the reference; `page_not_found` is known from users of the service. */
function errorOf(target: Target): JsonObject | undefined {
  const error = (code: string, status?: number) => ({ url: target.asked, error: code, status });
  if (target.kind === 'failed') return error(api.targets[target.reason]);
  const { status, page } = target;
  if (status === 404) return error('page_not_found', status);
  if (status === 403) return error('bot_blocked', status);
  if (status !== 200) return error('target_http_error', status);
  return page.blocks.length === 0 ? error('empty_content', status) : undefined;
}
