import { defineVendor, refuse } from '../../shell/declaration.ts';
import { filterAt } from '../../shell/filters.ts';
import { finishPage, finishRows, pagesFound } from '../../shell/rows.ts';
import { combination, combined, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, parseJson, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled, filledSchema } from '../../util/templates.ts';
import { imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import { errorFor, onlyTargetOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/**
 * https://docs.linkup.so/pages/documentation/endpoints/fetch. A target's own status is not in the
 * answer.
 */
function fetched(request: VendorRequest, asked: JsonObject): unknown {
  const target = onlyTargetOf(request.faults, textAt(asked, 'url') ?? '');
  if (target.kind === 'failed' || target.status !== 200) {
    return refuse({ status: 400, ...errorFor(api.targets, target) });
  }
  return finishPage(request, pageAnswer(target.page, asked), api.fetchMembers);
}

function addressProblems(asked: JsonObject): readonly Problem[] {
  const isUrl = readTargetUrl(textAt(asked, 'url') ?? '') !== undefined;
  return isUrl ? [] : [combination('url must be a valid URL', 'url')];
}

/** Everything that the vendor returns about a page; title and URL are not included. */
function pageAnswer(page: WebPage, options: JsonObject): JsonObject {
  const isPdf = page.pageCount !== null;
  const raw = isPdf ? '%PDF-1.7' : pageDocument(page);
  const wantsRaw = options.includeRawContent === true;
  return {
    markdown: pageMarkdown(page),
    favicon: page.favicon,
    rawContent: wantsRaw ? raw : undefined,
    contentType: wantsRaw ? (isPdf ? 'application/pdf' : 'text/html') : undefined,
    rawHtml: options.includeRawHtml === true && !isPdf ? raw : undefined,
    images: options.extractImages === true ? page.images : undefined,
  };
}

function dateProblems(asked: JsonObject): readonly Problem[] {
  const from = textAt(asked, 'fromDate')?.slice(0, 10);
  const to = textAt(asked, 'toDate')?.slice(0, 10);
  const early = Object.entries({ fromDate: from, toDate: to }).flatMap(([field, day]) =>
    day !== undefined && day <= '1970-01-01'
      ? [combination(`${field} must be after 1970-01-01`, field)]
      : [],
  );
  return from !== undefined && to !== undefined && from >= to
    ? [...early, combination('fromDate must be before toDate', 'fromDate')]
    : early;
}

/** Checks combinations first, then whether the schema of a structured answer can be used. */
function outputProblems(asked: JsonObject): readonly Problem[] {
  const misplaced = combined(api.combinations, asked);
  if (asked.outputType !== 'structured' || schemaOf(asked)) return misplaced;
  const field = 'structuredOutputSchema';
  const message = `${field} must be a JSON schema of type object, as text`;
  return [...misplaced, combination(message, field)];
}

function schemaOf(value: JsonObject): JsonObject | undefined {
  const schema = parseJson(textAt(value, 'structuredOutputSchema') ?? '');
  return isObject(schema) && schema.type === 'object' ? schema : undefined;
}

function search(request: VendorRequest, asked: JsonObject): unknown {
  if (request.faults.rows === 'empty') {
    const message = 'The query gave no result';
    return refuse({ status: 400, code: 'SEARCH_QUERY_NO_RESULT', message });
  }
  // a default is not documented; the vendor's answers had this many
  const count = numberAt(asked, 'maxResults') ?? api.resultsDefault;
  const query = textAt(asked, 'q') ?? '';
  const filter = filterAt(asked, api.filters);
  const pages = pagesFound(request, { query, count, filter, habits: api.habits });
  const finished = (rows: readonly JsonObject[]) => finishRows(request, rows, api.members);
  switch (asked.outputType) {
    case 'sourcedAnswer': {
      const cited = asked.includeInlineCitations === true;
      return {
        answer: answerOf(pages, cited),
        sources: finished(pages.map((page) => filled(api.source, valuesOf(page)))),
      };
    }
    case 'structured': {
      const data = filledSchema(schemaOf(asked) ?? {}, answerOf(pages, false));
      if (asked.includeSources !== true) return data;
      return { data, sources: finished(pages.map((page) => itemOf(page, 0, false))) };
    }
    default: {
      const withImages = asked.includeImages === true;
      return { results: finished(pages.map((page, index) => itemOf(page, index, withImages))) };
    }
  }
}

function answerOf([first]: readonly Page[], cited: boolean): string {
  const plain = first ? sentencesOf(first, 'answer', 3).join(' ') : 'Nothing was found.';
  return cited ? `${plain} [1]` : plain;
}

/** Text items; when images were requested, every fourth one is an image item. */
function itemOf(page: Page, index: number, withImages: boolean): JsonObject {
  const isImage = withImages && index % api.imageEvery === api.imageEvery - 1;
  return filled(isImage ? api.imageItem : api.textItem, valuesOf(page));
}

/** The values of a page for the templates. */
function valuesOf(page: Page): JsonObject {
  const hasSnippet = diceFor('linkup snippet', page.topic, page.id).chance(0.9);
  const hasFavicon = diceFor('linkup favicon', page.topic, page.id).chance(0.85);
  return {
    ...page,
    cover: imageOf(page, 'cover'),
    content: contentOf(page),
    snippet: hasSnippet ? sentencesOf(page, 'snippet', 1).join('') : '',
    favicon: hasFavicon ? `https://favicons.example.net?domain=${page.site.host}` : '',
  };
}

/**
 * Several extracts, one per line; some are repeated and some keep the entities of their HTML
 * source.
 */
function contentOf(page: Page): string {
  const dice = diceFor('linkup content', page.topic, page.id);
  const lines = sentencesOf(page, 'extracts', 2 + dice.below(9));
  const [first = ''] = lines;
  const content = [...lines, ...(dice.chance(0.3) ? [first] : [])].join('\n');
  return dice.chance(0.2) ? content.replaceAll("'", '&#x27;').replaceAll('"', '&quot;') : content;
}

/**
 * Linkup. Codes of https://docs.linkup.so/pages/documentation/platform/errors, in one shape for all
 * errors; the message texts are ours.
 */
export const linkup = defineVendor({
  api,
  routes: [
    {
      ...api.search,
      check: (asked) => [...dateProblems(asked), ...outputProblems(asked)],
      answer: search,
    },
    { ...api.fetch, check: addressProblems, answer: fetched },
  ],
  // only a call without an Authorization header is asked to pay
  missingKey: ({ headers }) => ({ status: headers.authorization === undefined ? 402 : 401 }),
  headers: (failure) => (failure?.status === 402 ? { 'payment-required': 'x402' } : {}),
});
