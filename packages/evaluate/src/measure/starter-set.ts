import { checkedQueries, type QuerySet, sha256Of } from './query-set.ts';

/** Query, expected answer, and the page that has it. Composed for trawl, under its licence. */
const QUESTIONS: readonly (readonly [query: string, answer: string, url: string])[] = [
  [
    'RFC that defines HTTP semantics since 2022',
    'RFC 9110',
    'https://www.rfc-editor.org/rfc/rfc9110',
  ],
  [
    'RFC that defines the JSON data interchange format as an Internet Standard',
    'RFC 8259',
    'https://www.rfc-editor.org/rfc/rfc8259',
  ],
  ['RFC that defines TLS 1.3', 'RFC 8446', 'https://www.rfc-editor.org/rfc/rfc8446'],
  [
    'RFC that reserves the domain names example.com and .test',
    'RFC 2606',
    'https://www.rfc-editor.org/rfc/rfc2606',
  ],
  ['RFC that defines the CSV format', 'RFC 4180', 'https://www.rfc-editor.org/rfc/rfc4180'],
  [
    'RFC that defines the Robots Exclusion Protocol robots.txt',
    'RFC 9309',
    'https://www.rfc-editor.org/rfc/rfc9309',
  ],
  ['SQLite documentation about write-ahead logging', 'WAL mode', 'https://www.sqlite.org/wal.html'],
  [
    'Python documentation of the asyncio library',
    'asyncio',
    'https://docs.python.org/3/library/asyncio.html',
  ],
  [
    'MDN reference of Array.prototype.flatMap',
    'flatMap',
    'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/flatMap',
  ],
  [
    'PostgreSQL documentation: SELECT FOR UPDATE explicit locking',
    'row-level locks',
    'https://www.postgresql.org/docs/current/explicit-locking.html',
  ],
  [
    'Who wrote the paper Attention Is All You Need, first author',
    'Ashish Vaswani',
    'https://arxiv.org/abs/1706.03762',
  ],
  [
    'arXiv paper that introduced BERT bidirectional transformers',
    'BERT by Devlin and others, 2018',
    'https://arxiv.org/abs/1810.04805',
  ],
  [
    'Original Bitcoin white paper by Satoshi Nakamoto',
    'Bitcoin: A Peer-to-Peer Electronic Cash System',
    'https://bitcoin.org/bitcoin.pdf',
  ],
  [
    'Year in which the Eiffel Tower was completed',
    '1889',
    'https://en.wikipedia.org/wiki/Eiffel_Tower',
  ],
  ['Chemical element with atomic number 74', 'Tungsten', 'https://en.wikipedia.org/wiki/Tungsten'],
  [
    'Who discovered penicillin in 1928',
    'Alexander Fleming',
    'https://en.wikipedia.org/wiki/Penicillin',
  ],
  [
    'Deepest known point of the oceans',
    'Challenger Deep',
    'https://en.wikipedia.org/wiki/Challenger_Deep',
  ],
  ['Largest moon of Saturn', 'Titan', 'https://en.wikipedia.org/wiki/Titan_(moon)'],
  [
    'Author of the novel Frankenstein',
    'Mary Shelley',
    'https://en.wikipedia.org/wiki/Frankenstein',
  ],
  ['Country whose capital is Ulaanbaatar', 'Mongolia', 'https://en.wikipedia.org/wiki/Ulaanbaatar'],
];

export const STARTER_SET = 'starter';

/** The set that comes with trawl, for a first look. */
export function starterSet(): QuerySet {
  const rows = QUESTIONS.map(([query, answer, url], index) => ({
    line: index + 1,
    fields: { query, expected_answer: answer, gold_urls: [url] },
  }));
  return {
    name: STARTER_SET,
    sha256: sha256Of(JSON.stringify(rows)),
    queries: checkedQueries(rows),
    origin: { source: 'composed for trawl', licence: 'Apache-2.0' },
  };
}
