import { board, manual } from './chromes-first.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'first', title, chrome, blocks });

export const FIRST_OTHERS: readonly CorpusPage[] = [
  page(
    'streams',
    'docs',
    manual,
    'Reading from streams',
    'A stream is a sequence of records that may never end. Opening one costs nothing; reading from it waits until a record is there or the time limit has passed.',
    {
      code: 'import tidepool\n\nwith tidepool.open("gauge-7") as stream:\n    for record in stream.read(limit=100):\n        if record.level > 3.5:\n            print(record.time, record.level)',
      lang: 'python3',
    },
    {
      note: 'Records are delivered at least once. Keep their numbers if you cannot bear to see one twice.',
    },
    { h2: 'Parameters' },
    {
      table: [
        ['Name', 'Type', 'Default', 'Meaning'],
        ['limit', 'int', 'none', 'Stop after so many records.'],
        ['wait', 'float', '30.0', 'Seconds to wait for the next record.'],
        ['since', 'str', 'now', 'A time, or <code>start</code>.'],
      ],
    },
    { h2: 'Errors' },
    {
      dl: [
        ['StreamClosed', 'The other side has ended the stream and nothing is left to read.'],
        ['StreamLagged', 'Records were dropped because the reader was too slow.'],
      ],
    },
  ),
  page(
    'install',
    'docs',
    manual,
    'Installation',
    'tidepool needs Python 3.10 or newer and runs on Linux and macOS.',
    { code: 'python -m venv .venv\n. .venv/bin/activate\npip install tidepool', lang: 'console' },
    { h2: 'From source' },
    'The development version may be broken on any given day.',
    {
      code: 'git clone https://code.example/tidepool\ncd tidepool\npip install -e .[test]',
      lang: 'console',
    },
  ),
  page(
    'api-reference',
    'docs',
    manual,
    'Configuration file',
    'Settings are read from <code>tidepool.toml</code> in the working directory. Environment variables win over the file.',
    {
      code: '[server]\nport = 7070\nhosts = ["127.0.0.1", "::1"]\n\n[store]\npath = "/var/lib/tidepool"',
      lang: 'toml',
    },
    { h3: 'server.port' },
    'A number between 1 and 65535. Below 1024 the process needs the right to bind it.',
    { h3: 'store.path' },
    'A directory that exists and is writable. It is locked while the server runs.',
  ),
  page(
    'glaze',
    'forum',
    board,
    'Crawling on a tin glaze, what am I doing wrong?',
    {
      by: 'mudlark',
      at: 'Tue Feb 11, 2025 8:14 pm',
      post: [
        'Every third pot comes out of the kiln with bare patches the size of a thumbnail. Cone 06, electric, tin glaze from a kit. I sponge the bisque and let it dry overnight.',
        'Has anybody seen this and got rid of it?',
      ],
    },
    {
      by: 'old_kiln',
      at: 'Tue Feb 11, 2025 9:02 pm',
      post: [
        'That is crawling. The coat is too thick or there is dust or grease on the pot. Are you touching the bisque with bare hands?',
      ],
    },
    {
      by: 'clayandco',
      at: 'Wed Feb 12, 2025 7:45 am',
      post: [
        'Seconded. Also check the date on the kit: gums in it go off after a year, and then it shrinks while it dries. Try one pot with a thin coat first.',
      ],
    },
  ),
  page(
    'kiln-sale',
    'forum',
    board,
    'WTB: small test kiln',
    {
      by: 'tessera',
      at: 'Sun Mar 2, 2025 3:10 pm',
      post: [
        'Looking for a test kiln up to 20 litres, single phase. I can collect within a hundred miles.',
      ],
    },
    {
      by: 'fernhill',
      at: 'Sun Mar 2, 2025 5:31 pm',
      post: [
        'I have one that needs a new element, the rest is sound. Yours for the price of a cake.',
      ],
    },
    { by: 'tessera', at: 'Mon Mar 3, 2025 8:00 am', post: ['Deal, message sent!'] },
  ),
];
