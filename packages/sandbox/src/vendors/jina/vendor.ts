import {
  defineVendor,
  type Failure,
  type OwnRoute,
  refuse,
  unsupported,
} from '../../shell/declaration.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import {
  bearerToken,
  type Incoming,
  isJson,
  jsonReply,
  type Reply,
  textReply,
} from '../../util/http.ts';
import { textAt } from '../../util/json.ts';
import { onlyTargetOf } from '../../web/target.ts';
import { decoded, readTargetUrl, urlText } from '../../web/target-url.ts';
import api from './api.json' with { type: 'json' };
import { optionsOf, pageAsText, pageOf, refusalOf } from './page.ts';

/** The target as it is written in the path; `GET /` names none. */
function pathUrl({ path, search }: Incoming): string {
  return `${path.slice(1)}${search}`;
}

function read(request: VendorRequest, url: string | undefined): Reply {
  const { credential, headers, faults } = request;
  const invalid = (message: string) => refuse({ status: 400, message });
  if (credential === 'refused') return refuse({ status: 401 });
  if (request.method === 'POST' && !isJson(request)) return invalid('The body must be JSON');
  if (url === undefined || url === '') return invalid('url is required');
  if (!readTargetUrl(url)) return invalid('Invalid URL');
  if (headers.accept?.includes('text/event-stream')) {
    return unsupported('jina: event streams are not spoken here');
  }
  const options = optionsOf(request);
  const problem = refusalOf(request, options);
  if (problem !== undefined) return invalid(problem);
  if (credential === 'exhausted') return refuse({ status: 402 });
  const target = onlyTargetOf(faults, url);
  if (target.kind === 'failed') return refuse(api.targets[target.reason]);
  if (target.page.blocks.length === 0 && faults.rows !== 'empty') {
    return refuse({ status: 422, message: 'No content available for this URL' });
  }
  const page = pageOf(request, target, options);
  if (!options.isJson) return pageAsText(request, page, options);
  return jsonReply(200, { code: 200, status: 20000, data: page, meta: { usage: page.usage } });
}

/** JSON, or one sentence for a client that takes text alone. */
function write(failure: Failure, { headers, faults }: VendorRequest): Reply {
  const { status: code, title: name, message, number: status = code * 100 } = failure;
  const readableMessage = `${name}: ${message}`;
  if (/^\s*text\/plain\s*$/i.test(headers.accept ?? '')) {
    return textReply(code, `${readableMessage}\n`);
  }
  const retryAfter = code === 429 ? faults.retryAfterSeconds : undefined;
  return jsonReply(code, { data: null, code, name, status, message, readableMessage, retryAfter });
}

const post: OwnRoute = {
  method: 'POST',
  path: '/',
  reply: (request) => read(request, textAt(request.json(), 'url')),
};

const get: OwnRoute = {
  method: 'GET',
  path: '/*',
  reply: (request) => read(request, pathUrl(request)),
};

/** Jina's reader. A key is optional. Names and numbers are the reader's own; most sentences are ours. */
export const jina = defineVendor({
  slug: 'jina',
  api,
  readKey: bearerToken,
  readText: (request) => urlText(request.json()) || decoded(pathUrl(request)),
  routes: [post, get],
  write,
});
