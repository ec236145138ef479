/** Upstreams that answer at once with prepared bodies of about 10 KB in the vendors' shapes. */
import { createServer } from 'node:http';
import { report } from './report.mjs';

const sentence = 'Tidal power turns the rise and fall of the sea into electricity. ';
const rows = (make) => Array.from({ length: 10 }, (_, index) => make(index));
const page = (index) =>
  `https://site-${index}.example.org/articles/tidal-power?utm_source=feed&page=${index}`;

const exa = JSON.stringify({
  requestId: '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  results: rows((index) => ({
    id: page(index),
    url: page(index),
    title: `Tidal power, part ${index}`,
    publishedDate: '2026-02-03T00:00:00.000Z',
    author: 'R. Vale',
    favicon: `https://site-${index}.example.org/favicon.ico`,
    highlights: [sentence, sentence],
    highlightScores: [0.7, 0.6],
    summary: sentence,
    text: sentence.repeat(6),
  })),
  costDollars: { total: 0.017, search: { neural: 0.007 }, contents: { summary: 0.01 } },
});
const brave = JSON.stringify({
  type: 'search',
  query: { original: 'tidal power' },
  web: {
    type: 'search',
    results: rows((index) => ({
      type: 'search_result',
      title: `Tidal &amp; power, part ${index}`,
      url: page(index),
      description: `<strong>Tidal</strong> ${sentence}`,
      page_age: '2026-03-02T08:15:00',
      profile: { name: 'Example', long_name: 'example.org', img: 'https://imgs.example.net/p.png' },
      meta_url: {
        hostname: `site-${index}.example.org`,
        favicon: 'https://imgs.example.net/f.png',
      },
      thumbnail: {
        src: 'https://imgs.example.net/t.jpg',
        original: `https://site-${index}.example.org/t.jpg`,
      },
      extra_snippets: [sentence, sentence, sentence, sentence],
    })),
  },
});

const text = `# Tidal power\n\n${`${sentence.repeat(4)}\n\n`.repeat(40)}`;
const tinyfish = JSON.stringify({
  results: [
    {
      url: 'https://example.org/',
      final_url: 'https://example.org/',
      title: 'Tidal power',
      description: sentence,
      language: 'en',
      author: null,
      published_date: '2026-02-11',
      format: 'markdown',
      text,
    },
  ],
  errors: [],
});

/** An article of about 100 KB with the furniture of a news site. */
const article = `<!doctype html><html lang="en"><head><title>Tidal power</title>
<meta name="description" content="${sentence}"><link rel="canonical" href="/article"></head><body>
<nav>${rows((index) => `<a href="/section-${index}">Section ${index}</a>`).join(' ')}</nav>
<article><h1>Tidal power</h1>${Array.from(
  { length: 180 },
  (_, index) =>
    `<p>${sentence.repeat(7)}<a href="/more/${index}">More about part ${index}</a>.</p>${index % 20 === 0 ? `<h2>Part ${index}</h2><table><tr><th>Year</th><th>Output</th></tr><tr><td>2025</td><td>${index}</td></tr></table>` : ''}`,
).join('\n')}</article><footer>Imprint, terms and privacy</footer></body></html>`;

/** By the start of the path: a body, or a failure. */
const ANSWERS = [
  ['/exa', 200, 'application/json', exa],
  ['/brave', 200, 'application/json', brave],
  ['/tinyfish', 200, 'application/json', tinyfish],
  ['/tavily', 500, 'application/json', '{"detail":{"error":"down"}}'],
  ['/article', 200, 'text/html; charset=utf-8', article],
];

const server = createServer((request, response) => {
  request.resume();
  const [, status, type, body] = ANSWERS.find(([path]) => request.url.startsWith(path));
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => report(`http://127.0.0.1:${server.address().port}`));
