import { type Operation, refuse } from '../../shell/declaration.ts';
import { finishPage } from '../../shell/rows.ts';
import { combination } from '../../shell/schema.ts';
import { isTrueAt, type JsonObject, textAt } from '../../util/json.ts';
import { onlyTargetOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const ROW = { title: 'markdown', url: 'favicon', snippets: [] };

/** https://docs.linkup.so/pages/documentation/endpoints/fetch. A target's own status is not in the answer. */
export const fetch: Operation = {
  method: 'POST',
  path: '/v1/fetch',
  parameters: api.fetch,
  check: (asked) =>
    readTargetUrl(textAt(asked, 'url') ?? '')
      ? []
      : [combination('url must be a valid URL', 'url')],
  answer(request, asked) {
    const target = onlyTargetOf(request.faults, textAt(asked, 'url') ?? '');
    if (target.kind === 'failed') return refuse({ status: 400, ...api.targets[target.reason] });
    if (target.status !== 200) {
      return refuse({ status: 400, code: 'FETCH_ERROR', message: 'The page was not served' });
    }
    return finishPage(request, answerOf(target.page, asked), ROW);
  },
};

/** All that the vendor says about a page; neither title nor address is in it. */
function answerOf(page: WebPage, options: JsonObject): JsonObject {
  const isPdf = page.pageCount !== null;
  const raw = isPdf ? '%PDF-1.7' : pageDocument(page);
  const wantsRaw = isTrueAt(options, 'includeRawContent');
  return {
    markdown: pageMarkdown(page),
    favicon: page.favicon,
    rawContent: wantsRaw ? raw : undefined,
    contentType: wantsRaw ? (isPdf ? 'application/pdf' : 'text/html') : undefined,
    rawHtml: isTrueAt(options, 'includeRawHtml') && !isPdf ? raw : undefined,
    images: isTrueAt(options, 'extractImages') ? page.images : undefined,
  };
}
