import { defineVendor, isSet, unsupported } from '../../shell/declaration.ts';
import { filterAt, sitesIn } from '../../shell/filters.ts';
import { finishRows, pagesFound } from '../../shell/rows.ts';
import { type Check, combination, type Problem, problemsOf } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { bearerToken } from '../../util/http.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filledSchema } from '../../util/templates.ts';
import { imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };
import { contentsOf, dollars, fetched, fetchProblems, optionProblems } from './contents.ts';

/** https://exa.ai/docs/admin/pricing, in USD. */
const PRICES: Readonly<Record<string, number>> = api.prices;

/** Text, or an object with few properties. */
function outputSchema(...[value, path]: Parameters<Check>): ReturnType<Check> {
  const { text, object } = api.outputSchema;
  const schema = isObject(value) && value.type === 'text' ? text : object;
  const problems = problemsOf(schema, value, {}, path);
  const { properties, depth } = extentOf(isObject(value) ? value : {});
  const wrong = (message: string): Problem => ({ path, message, kind: 'invalid' });
  const many = wrong(`outputSchema may have at most ${api.propertiesMax} properties`);
  const deep = wrong(`outputSchema may be nested at most ${api.depthMax} levels deep`);
  const extent = [
    ...(properties > api.propertiesMax ? [many] : []),
    ...(depth > api.depthMax ? [deep] : []),
  ];
  const all = problems.length > 0 ? problems : extent;
  return all.map((problem) => ({ ...problem, code: 'INVALID_JSON_SCHEMA' }));
}

function extentOf(schema: JsonObject): { readonly properties: number; readonly depth: number } {
  let properties = 0;
  let depth = 0;
  for (const child of Object.values(objectAt(schema, 'properties') ?? {})) {
    const inner = extentOf(objectAt(child, 'items') ?? (isObject(child) ? child : {}));
    properties += 1 + inner.properties;
    depth = Math.max(depth, 1 + inner.depth);
  }
  return { properties, depth };
}

/**
 * Problems with the type or the category of a search, then with combinations of content options.
 */
function searchProblems(asked: JsonObject, request: VendorRequest): readonly Problem[] {
  const wrong = (message: string, code?: string) => [combination(message, undefined, code)];
  const { type, category } = asked;
  const isDeep = String(type).startsWith('deep');
  const contents = objectAt(asked, 'contents') ?? {};
  const most = isDeep ? 25 : 100;
  if ((numberAt(asked, 'numResults') ?? 0) > most) {
    return wrong(`numResults must be at most ${most} for this search`, 'NUM_RESULTS_EXCEEDED');
  }
  const sent = [...namesIn(asked), ...namesIn(contents).map((name) => `contents.${name}`)];
  const beyondLite = sent.find((name) => type === 'lite' && !api.lite.includes(name));
  if (beyondLite) return wrong(`${beyondLite} is not supported with type 'lite'`);
  const isEntity = category === 'company' || category === 'people';
  const refused = api.refusedForEntities.find((name) => isEntity && isSet(asked[name]));
  if (refused) {
    return wrong(`${refused} is not supported with category '${category}'`, 'INVALID_REQUEST');
  }
  if (isSet(asked.additionalQueries) && !isDeep) {
    const message = 'additionalQueries is only supported with deep search types';
    return wrong(message, 'INVALID_REQUEST');
  }
  return optionProblems(contents, request);
}

function namesIn(value: JsonObject): readonly string[] {
  return Object.keys(value).filter((name) => isSet(value[name]));
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  if (asked.stream === true) return unsupported('exa: the sandbox does not support stream');
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'numResults') ?? 10;
  const filter = filterAt(asked, api.filters);
  const pages = pagesFound(request, { query, count, filter, habits: api.habits });
  const rows = pages.map((page) => rowOf(page, asked));
  const schema = objectAt(asked, 'outputSchema');
  const dice = diceFor('exa answer', request.fingerprint);
  const unused = api.withoutEffect.filter((name) => isSet(asked[name]));
  const warnings = unused.map((parameter) => ({ parameter, message: 'This has no effect' }));
  return {
    requestId: request.fingerprint.slice(0, 32),
    autoDate: dice.chance(2 / 7) ? '2026-06-01T00:00:00.000Z' : undefined,
    resolvedSearchType: 'neural',
    results: finishRows(request, rows, api.members),
    output: schema ? outputOf(schema, pages) : undefined,
    searchTime: (4_000 + dice.below(16_000)) / 10,
    costDollars: costOf(asked, rows),
    warnings: unused.length > 0 ? warnings : undefined,
    notices: sitesIn(query).isSoft ? [{ message: api.siteNotice }] : undefined,
  };
}

/** The price includes text and highlights, but not summaries and rows above ten. */
function costOf(asked: JsonObject, rows: readonly JsonObject[]): JsonObject {
  const base = PRICES[textAt(asked, 'type') ?? 'auto'] ?? api.priceDefault;
  const neural = base + Math.max(0, rows.length - 10) * api.pricePerRowOverTen;
  const summary = rows.filter((row) => row.summary !== undefined).length * api.pricePerSummary;
  return {
    total: dollars(neural + summary),
    search: { neural: dollars(neural) },
    contents: summary > 0 ? { summary: dollars(summary) } : undefined,
  };
}

/** A row carries a content field only when the request asked for it. */
function rowOf(page: Page, asked: JsonObject): JsonObject {
  const dice = diceFor('exa row', page.topic, page.id);
  const author = dice.below(55);
  const hasDate = dice.chance(0.85);
  const midnight = dice.chance(0.6) ? '00:00:00' : page.published.slice(11);
  return {
    id: page.url,
    title: page.title,
    url: page.url,
    publishedDate: hasDate ? `${page.published.slice(0, 10)}T${midnight}.000Z` : undefined,
    author: author < 30 ? page.author : author < 43 ? '' : null,
    image: dice.chance(0.9) ? imageOf(page, 'cover') : undefined,
    favicon: dice.chance(0.9) ? `https://${page.site.host}/favicon.ico` : undefined,
    ...contentsOf(page, objectAt(asked, 'contents') ?? {}),
    entities: entitiesOf(page, textAt(asked, 'category')),
  };
}

function entitiesOf(page: Page, category: string | undefined): readonly JsonObject[] | undefined {
  const type = ['company', 'people', 'publication'].find((name) => name === category);
  if (type === undefined) return undefined;
  const id = `${page.site.host}/${type}`;
  if (type === 'people') {
    const properties = { name: page.author, location: null, workHistory: [] };
    return [{ id, type: 'person', version: 1, properties }];
  }
  const [description = null] = sentencesOf(page, 'entity', 1);
  return [{ id, type, version: 1, properties: { name: page.site.name, description } }];
}

/** The synthesized `output` of a request with `outputSchema`. */
function outputOf(schema: JsonObject, pages: readonly Page[]): JsonObject {
  const [first] = pages;
  const plain = first ? sentencesOf(first, 'output', 3).join(' ') : 'Nothing was found.';
  const citations = pages.slice(0, 2).map(({ url, title }) => ({ url, title }));
  const content = schema.type === 'text' ? plain : filledSchema(schema, plain);
  const fields = typeof content === 'string' ? ['content'] : Object.keys(content);
  return {
    content,
    grounding: fields.map((field) => ({ field, citations, confidence: 'medium' })),
  };
}

/**
 * Exa. The tags are from https://exa.ai/docs/admin/error-codes, in flat bodies; the message texts
 * are ours.
 */
export const exa = defineVendor({
  api,
  readKey: (request) => request.headers['x-api-key'] ?? bearerToken(request),
  routes: [
    {
      ...api.search,
      rules: {
        contentOptions: (value, path) => problemsOf(api.contentOptions, value, {}, path),
        outputSchema,
      },
      check: (asked, request) => searchProblems(asked, request).slice(0, 1),
      answer: search,
    },
    { ...api.fetch, check: fetchProblems, answer: fetched },
  ],
});
