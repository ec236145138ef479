import { defineVendor, refuse } from '../../shell/declaration.ts';
import { filterOf, sitesIn } from '../../shell/filters.ts';
import { finishPage, rowsFound } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { type JsonObject, numberAt, textAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Page, sentencesOf, textOf } from '../../web/pages.ts';
import { onlyTargetOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageMarkdown } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const MAX = api.queryCharactersMax;

function lengthProblems(asked: JsonObject): readonly Problem[] {
  const names = ['query', 'ori_question'];
  const tooLong = names.filter((name) => [...(textAt(asked, name) ?? '')].length > MAX);
  return tooLong.map((name) => combination(`${name} has more than ${MAX} characters`, name));
}

/** The day of an operator such as `after:2026-01-02`. */
const dayIn = (query: string, operator: 'after:' | 'before:'): string | undefined =>
  query
    .split(' ')
    .find((word) => word.startsWith(operator))
    ?.slice(operator.length);

function rowOf(page: Page, hasContent: boolean): JsonObject {
  const dice = diceFor('deepseek row', page.topic, page.id);
  return {
    rerank_score: dice.below(300) / 100,
    title: page.title,
    url: page.url,
    snippet: dice.chance(0.9) ? sentencesOf(page, 'snippet', 1).join('') : '',
    summary: sentencesOf(page, 'summary', 5).join(' '),
    content: hasContent ? textOf(page) : '',
    site_name: dice.chance(0.8) ? page.site.name : '',
    site_icon: dice.chance(0.8) ? `https://${page.site.host}/favicon.ico` : '',
    date: dice.chance(0.8) ? `${page.published}+00:00` : null,
    authority: dice.below(6) - 1,
  };
}

function search(request: VendorRequest, asked: JsonObject): JsonObject {
  const query = textAt(asked, 'query') ?? '';
  const count = numberAt(asked, 'count') ?? api.countDefault;
  const [after, before] = [dayIn(query, 'after:'), dayIn(query, 'before:')];
  const filter = filterOf({ ...sitesIn(query), after, before });
  const rows = rowsFound(request, api, { query, count, filter }, (page) =>
    rowOf(page, asked.need_content === true),
  );
  return { results: rows };
}

/** Any fault of the page is a 404 without a reason. */
function fetched(request: VendorRequest, asked: JsonObject): unknown {
  const target = onlyTargetOf(request.faults, textAt(asked, 'url') ?? '');
  if (target.kind === 'failed' || target.status !== 200) return refuse({ status: 404 });
  const { page } = target;
  const answer = { title: page.title ?? '', content: pageMarkdown(page) };
  return finishPage(request, answer, api.fetchMembers);
}

function addressProblems({ url }: JsonObject): readonly Problem[] {
  const isUrl = readTargetUrl(String(url)) !== undefined;
  return isUrl ? [] : [combination("'url' must be a valid HTTP or HTTPS URL", 'url')];
}

/** DeepSeek's tools. The shape of their errors is that of its chat API. */
export const deepseek = defineVendor({
  api,
  routes: [
    { ...api.search, check: lengthProblems, answer: search },
    { ...api.fetch, check: addressProblems, answer: fetched },
  ],
});
