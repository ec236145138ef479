import { defineVendor, refusalOf, refuse } from '../../shell/declaration.ts';
import { filterOf } from '../../shell/filters.ts';
import { rowsFound } from '../../shell/rows.ts';
import { queryProblems } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type Incoming, textReply, type VendorReply } from '../../util/http.ts';
import { isObject, type JsonObject } from '../../util/json.ts';
import { diceFor, digest } from '../../util/seed.ts';
import { escaped } from '../../web/blocks.ts';
import { type Page, sentencesOf } from '../../web/pages.ts';
import api from './api.json' with { type: 'json' };

const DAYS = /submittedDate:\[(\d{8})\d{4} TO (\d{8})\d{4}\]/;

/** The words after `all:`. */
const wordsIn = (query: string): string =>
  [...query.replace(DAYS, '').matchAll(/(?:^|\s)(?:all|ti|au|abs):(\S+)/g)]
    .map(([, word]) => word)
    .join(' ');

const dayOf = (digits = '') => `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;

const askedText = ({ query }: Incoming): string => wordsIn(query.get('search_query') ?? '');

function entryOf(page: Page): JsonObject {
  const dice = diceFor('arxiv entry', page.topic, page.id);
  const number =
    10_000 + (Number.parseInt(digest('paper', page.topic, page.id).slice(0, 8), 16) % 89_999);
  return {
    title: page.title,
    page: `https://arxiv.org/abs/${page.published.slice(2, 4)}${page.published.slice(5, 7)}.${number}v1`,
    published: `${page.published}Z`,
    summary: `  ${sentencesOf(page, 'abstract', 5).join('\n  ')}`,
    author: page.author,
    doi: dice.chance(0.4) ? `10.5555/${number}` : undefined,
  };
}

const text = (value: unknown): string => escaped(String(value ?? ''));

function xmlOf(row: unknown): string {
  if (!isObject(row)) return '<entry/>';
  const { title, page, published, summary, author, doi } = row;
  const id = text(page).replace('https:', 'http:');
  const links = `<link href="${text(page)}" rel="alternate" type="text/html"/><link href="${text(page).replace('/abs/', '/pdf/')}" rel="related" type="application/pdf" title="pdf"/>`;
  return `<entry><id>${id}</id><title>${text(title)}</title><updated>${text(published)}</updated>${links}<summary>${text(summary)}</summary><category term="cs.IR" scheme="http://arxiv.org/schemas/atom"/><published>${text(published)}</published><arxiv:primary_category term="cs.IR"/><author><name>${text(author)}</name></author>${doi === undefined ? '' : `<arxiv:doi>${text(doi)}</arxiv:doi>`}</entry>`;
}

function feed(status: number, entries: readonly string[]): VendorReply {
  const body = `<?xml version='1.0' encoding='UTF-8'?>\n<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom"><id>https://arxiv.org/api/sandbox</id><title>arXiv Query</title><opensearch:totalResults>${entries.length}</opensearch:totalResults>${entries.join('\n')}</feed>`;
  return { status, headers: { 'content-type': 'application/atom+xml; charset=UTF-8' }, body };
}

function search(request: VendorRequest): VendorReply {
  const problems = queryProblems(api.search.parameters, request.query);
  if (problems.length > 0) return refuse(refusalOf(api, problems, request.query));
  const query = askedText(request);
  const days = DAYS.exec(request.query.get('search_query') ?? '');
  const filter = filterOf({
    after: days ? dayOf(days[1]) : undefined,
    before: days ? dayOf(days[2]) : undefined,
  });
  const count = Number(request.query.get('max_results') ?? 10);
  const rows = rowsFound(request, { ...api, habits: {} }, { query, count, filter }, entryOf);
  return feed(200, rows.map(xmlOf));
}

/** arXiv's API. Errors are feeds with one entry. */
export const arxiv = defineVendor({
  api,
  readKey: () => undefined,
  readText: askedText,
  routes: [{ ...api.search, reply: search }],
  write: ({ status, message }) =>
    status === 429
      ? textReply(429, message)
      : feed(status, [
          `<entry><id>https://arxiv.org/api/errors#sandbox</id><title>Error</title><summary>${text(message)}</summary></entry>`,
        ]),
});
