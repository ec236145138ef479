import { listed, type Operation } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import type { Problem } from '../../shell/schema.ts';
import type { JsonObject } from '../../util/json.ts';
import { type Target, targetsOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const ROW = { title: 'title', url: 'url', snippets: [{ name: 'markdown' }] };

/** https://you.com/docs/guides/contents: one entry per URL, in their order. */
export const contents: Operation = {
  method: 'POST',
  path: '/v1/contents',
  parameters: api.contents,
  check: ({ urls }) => urlProblems(listed(urls)),
  answer(request, asked) {
    const formats = Array.isArray(asked.formats) ? asked.formats : ['markdown'];
    const targets = targetsOf(request.faults, listed(asked.urls));
    const entries = targets.map((target) => entryOf(target, formats));
    return finishRows(request, entries, ROW);
  },
};

function urlProblems(urls: readonly string[]): readonly Problem[] {
  const message = 'urls must hold at least one URL';
  if (urls.length === 0) return [{ path: ['urls'], message, kind: 'invalid' }];
  return urls.flatMap((url, index): readonly Problem[] =>
    readTargetUrl(url)
      ? []
      : [{ path: ['urls', index], message: `${url} is no valid URL`, kind: 'invalid' }],
  );
}

/** An entry without text is a page that was not got. Nothing says why. */
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
          opengraph: { 'og:title': page.title, 'og:image': page.cover },
        }
      : null,
  };
}
