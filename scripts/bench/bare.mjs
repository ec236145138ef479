/** The minimal server that calls two providers at once: node:http in, undici out, both answers parsed and sent on. */
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { report } from './report.mjs';

const pool = new Pool(process.env.STUB_URL, { connections: 64, pipelining: 1 });
const ask = async (options) => (await pool.request(options)).body.json();

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { user_input, urls } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  if (urls) return send(response, JSON.stringify(await askPage(urls)));
  const [exa, brave] = await Promise.all([
    ask({
      method: 'POST',
      path: '/exa/search',
      headers: { 'content-type': 'application/json', 'x-api-key': 'bench' },
      body: JSON.stringify({ query: user_input.query, numResults: 10 }),
    }),
    ask({
      method: 'GET',
      path: `/brave/res/v1/web/search?q=${encodeURIComponent(user_input.query)}&count=10`,
      headers: { 'x-subscription-token': 'bench' },
    }),
  ]);
  send(response, JSON.stringify({ runs: [exa, brave] }));
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

function send(response, body) {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${server.address().port}`));
