/**
 * The least code that does the same work as a search: node:http in, two providers asked at once
 * with undici, both answers parsed, their rows mapped to the same fields, and the same answer
 * serialized. It checks and prices nothing, and records nothing unless RECORD_DIR is set: then an
 * answer is sent when it is on disk.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { startPlainRecorder } from './plain-recorder.mjs';
import { report } from './report.mjs';

const pool = new Pool(process.env.STUB_URL, { connections: 64, pipelining: 1 });
const { RECORD_DIR } = process.env;
const written = RECORD_DIR ? await startPlainRecorder(RECORD_DIR) : async () => {};
const ask = async (options) => (await pool.request(options)).body.json();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { user_input, urls } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (urls) return send(response, JSON.stringify(await askPage(urls)));
  const answer = await search(user_input.query);
  await written(answer);
  send(response, JSON.stringify(answer));
});

/** The minimal code that fetches a page through a provider. */
function askPage(urls) {
  return ask({
    method: 'POST',
    path: '/tinyfish/v1/fetch',
    headers: { 'content-type': 'application/json', 'x-api-key': 'bench' },
    body: JSON.stringify({ urls, format: 'markdown' }),
  });
}

async function search(query) {
  const startedAt = new Date().toISOString();
  const [exa, brave] = await Promise.all([
    ask({
      method: 'POST',
      path: '/exa/search',
      headers: { 'content-type': 'application/json', 'x-api-key': 'bench' },
      body: JSON.stringify({ query, numResults: 10 }),
    }),
    ask({
      method: 'GET',
      path: `/brave/res/v1/web/search?q=${encodeURIComponent(query)}&count=10`,
      headers: { 'x-subscription-token': 'bench' },
    }),
  ]);
  return {
    instance_id: 'bare',
    session_id: randomUUID(),
    interaction_id: randomUUID(),
    trajectory_id: randomUUID(),
    status: 'succeeded',
    preprocessor_runs: [
      run('exa', query, exa.results.map(exaRow), exa.costDollars, ['answer', 'entities']),
      run('brave', query, brave.web.results.map(braveRow), null, ['full_content', 'usage']),
    ],
    postprocessor_runs: [],
    created_at: startedAt,
    completed_at: new Date().toISOString(),
    normalized_schema_version: 1,
    routing: null,
  };
}

const FIELDS =
  'url title rank summary excerpt full_content publish_date thumbnail favicon source enrichments fetch_meta usage answer entities related verticals'.split(
    ' ',
  );

function run(slug, query, results, usage, missing) {
  const warnings = missing.map((field) => ({
    code: 'capability_gap',
    message: `${field}: ${slug} does not supply it`,
  }));
  return {
    id: randomUUID(),
    preprocessor_name: slug,
    status: 'succeeded',
    batch_index: 0,
    query,
    request_payload: { method: 'GET', url: 'https://example.org/', headers: {}, body: null },
    output_payload: {
      schema_version: 1,
      tier: 'max',
      fields: FIELDS,
      results,
      usage,
      answer: null,
      entities: [],
      related: [],
      verticals: null,
      latency_ms: 1,
      warnings,
    },
    raw_payload: null,
    error: null,
    latency_ms: 1,
  };
}

function exaRow(row, index) {
  const { url, title, summary, highlights, text, publishedDate, image, favicon, author } = row;
  const { id, highlightScores } = row;
  const page = comparable(url);
  return {
    url: page.href,
    title: plain(title),
    rank: index + 1,
    summary: plain(summary),
    excerpt: plain(highlights.join('\n\n')),
    full_content: text,
    publish_date: publishedDate,
    thumbnail: image ? new URL(image).href : null,
    favicon: new URL(favicon).href,
    source: { domain: page.hostname, author },
    enrichments: { id, highlightScores },
    fetch_meta: null,
  };
}

function braveRow(row, index) {
  const { url, title, description, extra_snippets, page_age, thumbnail, meta_url } = row;
  const { type, profile } = row;
  const page = comparable(url);
  return {
    url: page.href,
    title: plain(title),
    rank: index + 1,
    summary: plain(description),
    excerpt: extra_snippets.map(plain).join('\n\n'),
    full_content: null,
    publish_date: `${page_age}Z`,
    thumbnail: new URL(thumbnail.original).href,
    favicon: new URL(meta_url.favicon).href,
    source: { domain: page.hostname, author: null },
    enrichments: { type, profile, meta_url },
    fetch_meta: null,
  };
}

/** Without tracking parameters. */
function comparable(text) {
  const url = new URL(text);
  for (const name of [...url.searchParams.keys()]) {
    if (name.startsWith('utm_')) url.searchParams.delete(name);
  }
  return url;
}

const plain = (text) =>
  text
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&amp;', '&')
    .trim();

function send(response, body) {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${server.address().port}`));
