import { defineVendor, type VendorFailure } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply } from '../../util/http.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** Of a closed range; other words are not understood. */
function daysOf(freshness: string | undefined): { after?: string; before?: string } {
  const [after, before] = (freshness ?? '').split('..');
  return after !== undefined && before !== undefined ? { after, before } : {};
}

const hostsOf = (list: string | undefined): readonly string[] =>
  (list ?? '').split(/[|,]/).filter((host) => host !== '');

/** Many members are always null. */
function rowOf(page: Page, hasSummary: boolean): JsonObject {
  const dice = diceFor('bocha row', page.topic, page.id);
  const snippet = sentencesOf(page, 'snippet', 1).join('');
  return {
    id: null,
    name: page.title,
    url: page.url,
    displayUrl: page.url,
    snippet,
    summary: hasSummary ? `${snippet} ${sentencesOf(page, 'summary', 3).join(' ')}` : undefined,
    siteName: page.site.name,
    siteIcon: dice.chance(0.7) ? `https://icons.example.cn/${page.site.host}.png` : '',
    datePublished: dice.chance(0.8) ? `${page.published}+08:00` : undefined,
    dateLastCrawled: `${page.published}Z`,
    cachedPageUrl: null,
    language: null,
    isFamilyFriendly: null,
    isNavigational: null,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'count') ?? api.countDefault;
  const filter = filterOf({
    include: hostsOf(textAt(asked, 'include')),
    exclude: hostsOf(textAt(asked, 'exclude')),
    ...daysOf(textAt(asked, 'freshness')),
  });
  const shown: Page[] = [];
  const value = rowsFound(request, api, { query, count, filter }, (page) => {
    shown.push(page);
    return rowOf(page, asked.summary === true);
  });
  const images = shown.slice(0, 3).map((page) => ({
    thumbnailUrl: imageOf(page, 'cover'),
    contentUrl: imageOf(page, 'cover'),
    hostPageUrl: page.url,
    width: 640,
    height: 360,
  }));
  const webPages = { webSearchUrl: '', totalEstimatedMatches: 1_204, value };
  const isEmpty = value.length === 0;
  return {
    code: 200,
    log_id: request.fingerprint.slice(0, 16),
    msg: null,
    data: {
      _type: 'SearchResponse',
      queryContext: { originalQuery: query },
      webPages: isEmpty ? null : webPages,
      images: isEmpty ? null : { value: images },
      videos: null,
    },
  };
}

/** The code in a failure is a text. */
function write({ status, message }: VendorFailure, { fingerprint }: VendorRequest) {
  return jsonReply(status, { code: String(status), message, log_id: fingerprint.slice(0, 16) });
}

/** Bocha's search of the web. */
export const bocha = defineVendor({ api, routes: [{ ...api.search, answer: search }], write });
