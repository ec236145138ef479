import { defineVendor, type VendorFailure } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { jsonReply, textReply, type VendorReply } from '../../util/http.ts';
import type { JsonObject } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled } from '../../util/templates.ts';
import { DAY_MS, imageOf, type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

/** `20260131` as `2026-01-31`; words are not understood. */
const dayOf = (text: string | null): string | undefined =>
  /^\d{8}$/.test(text ?? '') ? text?.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3') : undefined;

/** The last day is not part of the range. */
function dayBefore(text: string | null): string | undefined {
  const day = dayOf(text);
  if (day === undefined) return undefined;
  return new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
}

/** A leading dot takes subdomains too; hosts of this web have none. */
const hostsOf = (list: string | null): readonly string[] =>
  (list ?? '')
    .split(',')
    .filter((host) => host !== '')
    .map((host) => host.replace(/^\./, ''));

function rowOf(page: Page, query: URLSearchParams): JsonObject {
  const dice = diceFor('mojeek row', page.topic, page.id);
  const published = new Date(`${page.published}Z`);
  const [weekday, day, month, year, time] = published.toUTCString().replace(',', '').split(' ');
  const isDated = query.get('date') === '1' && dice.chance(0.8);
  const text = `<strong>${page.topic}</strong>: ${sentencesOf(page, 'snippet', 3).join(' ')}`;
  return {
    url: page.url,
    title: page.title.slice(0, Number(query.get('tlen') ?? api.titleDefault)),
    desc: text.slice(0, Number(query.get('dlen') ?? api.textDefault)),
    date: isDated ? `${weekday} ${month} ${day} ${time} ${year}` : undefined,
    pdate: isDated ? published.getTime() / 1_000 : undefined,
    image: dice.chance(0.4) ? { url: imageOf(page, 'cover'), width: 100, height: 100 } : undefined,
    score: dice.below(30),
  };
}

function search(request: VendorRequest): JsonObject {
  const { query } = request;
  const q = query.get('q') ?? '';
  const filter = filterOf({
    include: hostsOf(query.get('fi')),
    exclude: hostsOf(query.get('fe')),
    after: dayOf(query.get('since')),
    before: dayBefore(query.get('before')),
  });
  const start = Number(query.get('s') ?? 1);
  const most = request.key?.startsWith('startup-') ? api.startupMost : api.countMost;
  const count = Math.min(most, Number(query.get('t') ?? api.countDefault));
  const wanted = { query: q, start: start - 1, count, filter };
  const results = rowsFound(request, api, wanted, (page) => rowOf(page, query));
  const head = { query: q, timer: 0.12, start, return: results.length, results: 5_120 };
  return { response: { status: 'OK', head, results } };
}

/** Some failures have the status 200 and words in `status`; others are a text or nothing. */
function write({ status, message, shape }: VendorFailure, request: VendorRequest): VendorReply {
  if (shape === 'empty') return textReply(status, '');
  if (shape !== 'words') return textReply(status, message);
  const values = { message, query: request.query.get('q') };
  return jsonReply(status, filled(api.shapes.words, values));
}

/** Mojeek's search. */
export const mojeek = defineVendor({
  api,
  readKey: ({ query }) => query.get('api_key') ?? undefined,
  readText: ({ query }) => query.get('q') ?? '',
  routes: [{ ...api.search, answer: search }],
  write,
});
