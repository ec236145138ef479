import { defineVendor, listed, refuse, unsupported } from '../../shell/declaration.ts';
import { filterAt, filterOf, rangeOf } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import type { Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, textAt, valueAt } from '../../util/json.ts';
import { type Dice, diceFor, uuidFrom } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import {
  imageOf,
  type Page,
  pagesFor,
  SANDBOX_NOW,
  sentencesOf,
  textOf,
  topicOf,
} from '../../web/pages.ts';
import { type Target, targetsOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/** https://you.com/docs/guides/contents: one entry per URL, in their order. */
function contents(request: VendorRequest, asked: JsonObject): readonly unknown[] {
  const formats = Array.isArray(asked.formats) ? asked.formats : ['markdown'];
  const targets = targetsOf(request.faults, listed(asked.urls));
  const entries = targets.map((target) => entryOf(target, formats));
  return finishRows(request, entries, api.fetchMembers);
}

function urlProblems(urls: readonly string[]): readonly Problem[] {
  const wrong = (message: string, ...at: number[]): Problem[] => [
    { path: ['urls', ...at], message, kind: 'invalid' },
  ];
  if (urls.length === 0) return wrong('urls must hold at least one URL');
  return urls.flatMap((url, n) =>
    readTargetUrl(url) ? [] : wrong(`${url} is not a valid URL`, n),
  );
}

/** An entry without text is a page that could not be fetched. The answer does not say why. */
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
    metadata: formats.includes('metadata') ? filled(api.metadata, { ...page }) : null,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'count') ?? api.countDefault;
  const start = (numberAt(asked, 'offset') ?? 0) * count;
  const range = rangeOf(textAt(asked, 'freshness'));
  const filter = filterOf({ ...filterAt(asked, api.filters), ...range });
  const pages = pagesFound(request, { query, start, count, filter, habits: api.habits });
  const rows = pages.map((page) => rowOf(page, asked, 'web'));
  const results = {
    web: finishRows(request, rows, api.members),
    news: hasNews(query) ? newsOf(query, Math.min(count, api.newsMax), asked) : undefined,
    knowledge: asked.knowledge === 'core' ? knowledgeOf(pages) : undefined,
  };
  return {
    results: pages.length === 0 ? {} : results,
    metadata: {
      search_uuid: uuidFrom(request.fingerprint),
      query,
      latency: (80 + diceFor('you latency', request.fingerprint).below(400)) / 1_000,
    },
  };
}

/** Only some topics have news. */
function hasNews(query: string): boolean {
  const topic = topicOf(query);
  return /\b(news|latest|today)\b/i.test(topic) || diceFor('news of you', topic).chance(0.6);
}

function newsOf(query: string, count: number, body: JsonObject): readonly JsonObject[] {
  const pages = pagesFor({ vendor: 'you news', query, start: 0, count, kind: 'news' });
  return pages.map((page) => rowOf(page, body, 'news'));
}

function knowledgeOf([first]: readonly Page[]): readonly JsonObject[] {
  if (!first) return [];
  const description = sentencesOf(first, 'knowledge', 1).join('');
  return [filled(api.knowledge, { ...first, description, day: SANDBOX_NOW.slice(0, 10) })];
}

/**
 * A row of `web` or `news`. Every member except the URL may be missing; news have fewer members.
 */
function rowOf(page: Page, body: JsonObject, section: 'web' | 'news'): JsonObject {
  const dice = diceFor('you row', page.topic, page.id);
  const isWeb = section === 'web';
  const highlights = textAt(body, 'extraction.extraction_mode') === 'highlights';
  const contents = contentsOf(page, body, section);
  const hasImage = dice.chance(0.75);
  const hasAge = dice.chance(0.8);
  const hasAuthors = dice.chance(0.4);
  return {
    url: page.url,
    title: page.title,
    description: sentencesOf(page, 'description', 1).join(''),
    snippets: isWeb && !highlights ? snippetsOf(page, dice) : undefined,
    thumbnail_url: hasImage ? imageOf(page, 'cover') : undefined,
    page_age: hasAge ? page.published : undefined,
    authors: isWeb && hasAuthors ? [page.author] : undefined,
    favicon_url: isWeb ? `https://${page.site.host}/favicon?size=128` : undefined,
    contents: contents && dice.chance(0.9) ? contents : undefined,
  };
}

function snippetsOf(page: Page, dice: Dice): readonly string[] {
  return dice.chance(0.1) ? [] : sentencesOf(page, 'snippets', 2 + dice.below(3));
}

/** Page text or highlights, if requested for this section. */
function contentsOf(page: Page, body: JsonObject, section: string): JsonObject | undefined {
  const livecrawl = textAt(body, 'livecrawl');
  if (textAt(body, 'extraction.extraction_mode') === 'highlights') {
    return { highlights: sentencesOf(page, 'highlights', 3) };
  }
  if (isObject(body.extraction)) {
    return pageText(page, valueAt(body, 'extraction.full_page.extraction_formats'));
  }
  const isAsked = livecrawl === 'all' || livecrawl === section;
  return isAsked ? pageText(page, body.livecrawl_formats) : undefined;
}

function pageText(page: Page, formats: unknown): JsonObject {
  const asked: readonly unknown[] = Array.isArray(formats) ? formats : ['markdown'];
  const text = textOf(page);
  const paragraphs = `<p>${text.replaceAll('\n\n', '</p><p>')}</p>`;
  return {
    markdown: asked.includes('markdown') ? `# ${text}` : undefined,
    html: asked.includes('html') ? `<html><body>${paragraphs}</body></html>` : undefined,
  };
}

/**
 * You.com. Statuses of https://you.com/docs/error-handling/error-code-reference; the message texts
 * are ours.
 */
export const you = defineVendor({
  api,
  routes: [
    { ...api.search, answer: search },
    {
      ...api.keyless,
      isOpen: () => true,
      answer: (request, asked) => {
        // a key is refused there
        if (request.key !== undefined) refuse({ status: 401 });
        const hosts = textAt(asked, 'include_domains')?.split(',');
        return search(request, {
          ...asked,
          count: Number(asked.count ?? api.countDefault),
          ...(hosts ? { include_domains: hosts } : {}),
        });
      },
    },
    { ...api.contents, check: ({ urls }) => urlProblems(listed(urls)), answer: contents },
    {
      method: 'GET',
      path: api.search.path,
      reply: () => unsupported('you: the sandbox does not support the GET form of the search'),
    },
  ],
  // the reset time is in Unix time
  headers: (failure) => ({
    'x-ratelimit-limit': '10',
    'x-ratelimit-remaining': failure?.status === 429 ? '0' : '9',
    'x-ratelimit-reset': String(Date.parse(`${SANDBOX_NOW}Z`) / 1_000 + 1),
  }),
});
