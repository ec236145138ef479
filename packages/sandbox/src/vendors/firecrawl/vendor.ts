import { defineVendor, type Operation, refuse } from '../../shell/declaration.ts';
import { type Check, combination, problemsOf, type Rules } from '../../shell/schema.ts';
import { bearerToken, jsonReply } from '../../util/http.ts';
import { isObject, textAt } from '../../util/json.ts';
import { onlyTargetOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };
import { documentOf } from './document.ts';

const scrape: Operation = {
  method: 'POST',
  path: '/v2/scrape',
  parameters: api.scrape,
  rules: { format: formatProblems },
  check: ({ url }) => (readTargetUrl(String(url)) ? [] : [combination('Invalid URL', 'url')]),
  /** A target that gave no answer fails the whole call. */
  answer(request, asked) {
    const target = onlyTargetOf(request.faults, textAt(asked, 'url') ?? '');
    if (target.kind === 'failed') return refuse(api.targets[target.reason]);
    return { success: true, data: documentOf(request, target, asked) };
  },
};

/** Plain formats are asked for by name, those with options by an object. */
function formatProblems(...[value, path]: Parameters<Check>): ReturnType<Check> {
  const { name, plain, screenshot, json } = api.formats;
  const rules: Rules = { name: (type, at) => problemsOf(name, type, {}, at) };
  if (!isObject(value)) return problemsOf(name, value, {}, path);
  if (value.type === 'screenshot') return problemsOf(screenshot, value, {}, path);
  if (value.type !== 'json') return problemsOf(plain, value, rules, path);
  const problems = problemsOf(json, value, {}, path);
  const message = `${path.join('.')} needs a schema or a prompt`;
  return problems.length === 0 && value.schema === undefined && value.prompt === undefined
    ? [{ path, message, kind: 'invalid' }]
    : problems;
}

/** Firecrawl. Of its routes only the scrape is here; most sentences are ours. */
export const firecrawl = defineVendor({
  slug: 'firecrawl',
  api,
  readKey: bearerToken,
  routes: [scrape],
  refusal: (problems) => ({
    status: 400,
    details: problems.map(({ path, message }) => ({ path, message })),
  }),
  write: ({ status, code, message, details }) =>
    jsonReply(status, { success: false, code, error: message, details }),
});
