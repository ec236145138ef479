import { anyObject, bool, members, oneOf, text } from '../../check.ts';
import { isObject, isTrueAt, type JsonObject, textAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishPage, onlyTargetOf } from '../../rows.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageDocument, pageMarkdown } from '../../web/forms.ts';
import type { FailureReason, Target, WebPage } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import type { Detail } from './request.ts';

/** `/v1/fetch`: https://docs.linkup.so/pages/documentation/endpoints/fetch */

const body = members(
  {
    url: text(1),
    renderJs: bool,
    mode: oneOf('standard', 'pro'),
    includeRawContent: bool,
    includeRawHtml: bool,
    extractImages: bool,
    schema: anyObject,
    instructions: text(1),
  },
  ['url'],
);

/** Everything that is wrong with a body; empty when it is a valid fetch. */
export function fetchDetailsOf(value: unknown): readonly Detail[] {
  if (!isObject(value)) return [{ field: '', message: 'the body must be a JSON object' }];
  const problems = body(value, []).map(({ path, message }) => ({ field: path.join('.'), message }));
  return problems.length === 0 && !readTargetUrl(textAt(value, 'url') ?? '')
    ? [{ field: 'url', message: 'url must be a valid URL' }]
    : problems;
}

/** The page, or the code of a 400 that says why there is none. */
export type Fetched =
  | { readonly body: unknown }
  | { readonly code: string; readonly message: string };

export function fetched(request: VendorRequest, value: JsonObject): Fetched {
  const target = onlyTargetOf(request, textAt(value, 'url') ?? '');
  return target.kind === 'answered' && target.status === 200
    ? { body: finishPage(request, answerOf(target.page, value), PAGE_MEMBERS) }
    : failureOf(target);
}

const PAGE_MEMBERS: RowMembers = { title: 'markdown', url: 'favicon', snippets: [] };

/** Neither title nor address: this is all the vendor tells of a page. */
function answerOf(page: WebPage, options: JsonObject): JsonObject {
  const isPdf = page.pageCount !== null;
  const raw = isPdf ? '%PDF-1.7' : pageDocument(page);
  return {
    markdown: pageMarkdown(page),
    favicon: page.favicon,
    ...(isTrueAt(options, 'includeRawContent')
      ? { rawContent: raw, contentType: isPdf ? 'application/pdf' : 'text/html' }
      : {}),
    ...(isTrueAt(options, 'includeRawHtml') && !isPdf ? { rawHtml: raw } : {}),
    ...(isTrueAt(options, 'extractImages') ? { images: page.images } : {}),
  };
}

/** Codes of https://docs.linkup.so/pages/documentation/platform/errors; the sentences are ours. */
const FAILURES: Readonly<Record<FailureReason, readonly [code: string, message: string]>> = {
  'unknown-host': ['FETCH_TARGET_UNREACHABLE', 'The address could not be reached'],
  timeout: ['FETCH_TARGET_UNREACHABLE', 'The address did not answer in time'],
  'too-large': ['FETCH_RESPONSE_TOO_LARGE', 'The page is larger than what can be fetched'],
  unsupported: ['FETCH_UNSUPPORTED_CONTENT_TYPE', 'This kind of content cannot be fetched'],
  invalid: ['FETCH_ERROR', 'The address could not be fetched'],
};

/** The target's own status is not told. */
function failureOf(target: Target): Fetched {
  const [code, message] =
    target.kind === 'failed' ? FAILURES[target.reason] : ['FETCH_ERROR', 'The page was not served'];
  return { code, message };
}
