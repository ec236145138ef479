import { integer, listOf, members, oneOf, text } from '../../check.ts';
import { isObject, type JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishRows, targetsOf } from '../../rows.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageDocument, pageMarkdown } from '../../web/forms.ts';
import { coverOf, type Target } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { type Issue, issuesWith } from './request.ts';

/** `/v1/contents`: https://you.com/docs/guides/contents */

const URLS_MAX = 10;

const body = members(
  {
    urls: listOf(text(1), URLS_MAX),
    formats: listOf(oneOf('markdown', 'html', 'metadata')),
    crawl_timeout: integer(1, 60),
    max_age: integer(0, Number.MAX_SAFE_INTEGER),
  },
  ['urls'],
);

/** Everything that is wrong with a body. */
export function contentsIssuesOf(value: unknown): readonly Issue[] {
  const issues = issuesWith(body, value);
  if (issues.length > 0 || !isObject(value)) return issues;
  const wrong = (index: number | string, msg: string) => ({
    type: 'value_error',
    loc: ['body', 'urls', ...(index === '' ? [] : [index])],
    msg,
  });
  const urls = urlsOf(value);
  if (urls.length === 0) return [wrong('', 'urls must hold at least one URL')];
  return urls.flatMap((url, index) =>
    readTargetUrl(url) ? [] : [wrong(index, `${url} is no valid URL`)],
  );
}

/** One entry per URL, in their order; one without text is a page that was not got. Nothing says why. */
export function contentsOf(request: VendorRequest, value: JsonObject): readonly unknown[] {
  const formats = Array.isArray(value.formats) ? value.formats : ['markdown'];
  const entries = targetsOf(request, urlsOf(value)).map((target) => entryOf(target, formats));
  return finishRows(request, entries, ENTRY_MEMBERS);
}

const ENTRY_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  snippets: [{ name: 'markdown' }],
};

function urlsOf(value: JsonObject): readonly string[] {
  return [value.urls].flat().filter((url) => typeof url === 'string');
}

function entryOf(target: Target, formats: readonly unknown[]): JsonObject {
  if (target.kind === 'failed' || target.status !== 200) {
    return { url: target.asked, title: '', markdown: '', html: null, metadata: null };
  }
  const { page } = target;
  const isMade = page.blocks.length > 0 || page.body !== undefined;
  return {
    url: target.asked,
    title: page.title,
    markdown: formats.includes('markdown') ? pageMarkdown(page) : null,
    html: formats.includes('html') && isMade ? pageDocument(page) : null,
    metadata: formats.includes('metadata')
      ? {
          site_name: page.source.site.name,
          favicon_url: page.favicon,
          opengraph: { 'og:title': page.title, 'og:image': coverOf(page) },
        }
      : null,
  };
}
