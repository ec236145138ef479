import { listed, type Operation } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import { combination } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isTrueAt, type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor, uuidFrom } from '../../util/seed.ts';
import { type Answered, split, type Target, targetsOf } from '../../web/target.ts';
import { pageMarkdown, pageText, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const SUCCESSES_PER_CREDIT = 5;
const ROW = { title: 'title', url: 'url', snippets: [{ name: 'raw_content' }] };

/** https://docs.tavily.com/documentation/api-reference/endpoint/extract */
export const extract: Operation = {
  method: 'POST',
  path: '/extract',
  parameters: api.extract,
  combinations: api.extractCombinations,
  check: ({ urls }) =>
    listed(urls).length === 0
      ? [combination('Invalid request: urls must hold at least one URL.')]
      : [],
  answer: extracted,
};

/** Pages are in `results`, all else in `failed_results`, which give no status. */
function extracted(request: VendorRequest, asked: JsonObject): JsonObject {
  const { got, errors } = split(targetsOf(request.faults, listed(asked.urls)), errorOf);
  const rows = got.map((target) => rowOf(target, asked));
  const price = asked.extract_depth === 'advanced' ? 2 : 1;
  const credits = Math.floor(rows.length / SUCCESSES_PER_CREDIT) * price;
  return {
    results: finishRows(request, rows, ROW),
    failed_results: errors,
    response_time: (2 + diceFor('tavily extract', request.fingerprint).below(300)) / 100,
    usage: isTrueAt(asked, 'include_usage') ? { credits } : undefined,
    request_id: uuidFrom(request.fingerprint),
  };
}

function rowOf({ asked: url, page }: Answered, options: JsonObject): JsonObject {
  const images = page.images.map((image) => image.url);
  return {
    url,
    title: page.title,
    raw_content: contentOf(page, options),
    images: isTrueAt(options, 'include_images') ? images : undefined,
    favicon: isTrueAt(options, 'include_favicon') ? page.favicon : undefined,
  };
}

/** With a query only the chunks that fit it. */
function contentOf(page: WebPage, options: JsonObject): string {
  const whole = options.format === 'text' ? pageText(page) : pageMarkdown(page);
  if (textAt(options, 'query') === undefined) return whole;
  const chunks = whole.split('\n\n').filter((part) => part.length > 80);
  return chunks.slice(0, numberAt(options, 'chunks_per_source') ?? 3).join(' [...] ');
}

function errorOf(target: Target): JsonObject | undefined {
  const { asked: url } = target;
  if (target.kind === 'failed') return { url, error: api.targets[target.reason] };
  if (target.status !== 200) return { url, error: 'Failed to fetch url' };
  const isEmpty = target.page.blocks.length === 0;
  return isEmpty ? { url, error: 'No content could be extracted' } : undefined;
}
