import { answers, handbook } from './chromes-second.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'second', title, chrome, blocks });

export const SECOND_OTHERS: readonly CorpusPage[] = [
  page(
    'plugins',
    'docs',
    handbook,
    'Writing a plugin',
    'A plugin is a function that receives the site and returns hooks. It may be asynchronous, and it is called once for each build.',
    {
      code: "export default function wordCount(options = {}) {\n  return {\n    name: 'word-count',\n    async transform(page) {\n      const words = page.text.split(/\\s+/).length;\n      return { ...page, words };\n    },\n  };\n}",
      lang: 'js',
    },
    {
      note: 'Return a new page instead of changing the one you were given: pages are shared between workers.',
    },
    { h2: 'Register it' },
    {
      code: 'plugins:\n  - ./word-count.js\n  - name: sitemap\n    options:\n      depth: 3',
      lang: 'yaml',
    },
    { h2: 'Hooks' },
    {
      table: [
        ['Hook', 'Called', 'Returns'],
        ['<code>load</code>', 'for each file', 'page or null'],
        ['<code>transform</code>', 'for each page', 'page'],
        ['<code>done</code>', 'once at the end', 'nothing'],
      ],
    },
  ),
  page(
    'deploy',
    'docs',
    handbook,
    'Deploy behind a proxy',
    'Quillbox serves plain files, so any web server will do. Only two headers need care.',
    {
      ol: [
        'Build with <code>quillbox build --out dist</code>.',
        'Copy <code>dist</code> to the server.',
        'Tell the proxy to keep <code>index.html</code> out of its cache.',
      ],
    },
    {
      code: 'location / {\n  root /srv/quillbox;\n  try_files $uri $uri/index.html =404;\n  add_header Cache-Control "no-cache";\n}',
      lang: 'nginx',
    },
    { h2: 'Next steps' },
    {
      ul: [
        '<a href="/docs/preview">Preview deployments</a>',
        '<a href="/docs/redirects">Redirects and rewrites</a>',
      ],
    },
  ),
  page(
    'cli',
    'docs',
    handbook,
    'Command line',
    'Every command takes <code>--help</code>.',
    {
      dl: [
        ['quillbox new', 'Makes a site in an empty directory.'],
        ['quillbox serve', 'Builds, watches and serves on port 4000.'],
        ['quillbox check', 'Finds dead links and images without text.'],
      ],
    },
    {
      code: '$ quillbox check\n3 pages, 41 links\ndocs/old.md:12  dead link  /guides/gone',
      lang: 'text',
    },
  ),
  page(
    'lathe',
    'forum',
    answers,
    'How do I stop chatter when parting off?',
    {
      by: 'swarf',
      at: 'asked May 4 at 9:12',
      post: [
        'My small lathe chatters badly when I part off 20 mm brass. Speed is 600 rpm, the tool is 2 mm wide and sharp. Going slower makes it worse.',
        { code: 'spindle: 600 rpm\nfeed: by hand\nstick-out: 15 mm', lang: 'text' },
      ],
    },
    {
      by: 'J. Tarn',
      at: 'answered May 4 at 10:40',
      post: [
        'Shorten the stick-out first; 15 mm is a lot for a 2 mm blade. Lock the carriage, and feed <em>harder</em>, not softer: brass chatters when the tool rubs.',
        {
          ul: [
            'stick-out no more than the radius plus 2 mm',
            'tool exactly on centre, or a hair below',
          ],
        },
      ],
    },
    {
      by: 'Lena M',
      at: 'answered May 6 at 18:03',
      post: [
        'Turn the tool upside down and run in reverse. The forces then press the tool post into the slide instead of lifting it, and on light machines this ends the matter.',
      ],
    },
  ),
  page(
    'sql',
    'forum',
    answers,
    'Select the newest row of each group',
    {
      by: 'rowan',
      at: 'asked Jan 9 at 14:00',
      post: [
        'I have readings of many gauges and want the newest of each. This returns the right time but the wrong level:',
        { code: 'SELECT gauge, max(taken_at), level\nFROM readings\nGROUP BY gauge;', lang: 'sql' },
      ],
    },
    {
      by: 'ixtab',
      at: 'answered Jan 9 at 14:21',
      post: [
        'Number the rows within each gauge and keep the first:',
        {
          code: 'SELECT gauge, taken_at, level\nFROM (\n  SELECT *, row_number() OVER (PARTITION BY gauge ORDER BY taken_at DESC) AS n\n  FROM readings\n) AS numbered\nWHERE n = 1;',
          lang: 'sql',
        },
        'With an index on <code>(gauge, taken_at)</code> it reads each gauge once.',
      ],
    },
  ),
];
