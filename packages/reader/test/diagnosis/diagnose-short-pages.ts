import type { PageCase } from './diagnose-support.ts';

/** Short but complete pages. */
export const SHORT: readonly PageCase[] = [
  ['greeting', 'Hello world'],
  ['one word', 'pong'],
  ['a number', '42'],
  ['price', '# Kettle\n\n$12'],
  ['price next to a menu', '[Home](/) [Shop](/shop) [Cart](/cart)\n\n$12'],
  ['health check', 'OK', { contentType: 'text/plain' }],
  ['API status', 'API v2 is up. Latency 14 ms.'],
  [
    'status page',
    '# All Systems Operational\n\nUptime over the past 90 days: 99.98 %\n\nAPI Operational\nDashboard Operational',
  ],
  [
    'status page with an incident',
    '# Partial outage\n\n**502 errors on the API** – Investigating\n\nWe see elevated error rates. Mar 3, 10:12 UTC',
  ],
  [
    'planned work',
    '# Scheduled maintenance\n\nThe library system will be offline on Sunday from 02:00 to 04:00. Loans are not affected.',
  ],
  ['Chinese', '你好，世界'],
  ['Japanese', 'こんにちは。今日は晴れです。'],
  ['Arabic', 'مرحبا بالعالم'],
  ['Hindi', 'नमस्ते दुनिया'],
  ['Thai', 'สวัสดีชาวโลก'],
  ['Korean', '안녕하세요'],
  ['Hebrew', 'שלום עולם'],
  ['Russian', 'Привет, мир!'],
  ['Vietnamese', 'Chào thế giới'],
  ['Greek', 'Καλημέρα κόσμε'],
  [
    'haiku',
    '# Just a moment\n\nan old silent pond\na frog jumps into the pond\nsplash, silence again',
    { title: 'Just a moment' },
  ],
  [
    'poem',
    '# Not Found\n\nI looked beneath the table,\nI looked behind the door,\nthe glove my mother gave me\nwas nowhere any more.\n\nI asked the cat about it,\nshe yawned and licked a paw.',
    { title: 'Not Found | Poems' },
  ],
  [
    'song',
    '# Please Wait\n\nPlease wait for me by the river\nwhere the water bends to the south\nand the song that you taught me in winter\nis still in my mouth',
    { title: 'Please Wait' },
  ],
  [
    'song of refusal',
    '# Access Denied\n\nYou built a wall around your heart\nand threw away the key\nI stood outside for seven years\nand no one answered me',
    { title: 'Access Denied – Lyrics' },
  ],
  [
    'link list',
    '[Alpha](https://a.example)\n\n[Beta](https://b.example)\n\n[Gamma](https://c.example)',
  ],
  ['addresses', '<https://a.example/1>\n<https://a.example/2>'],
  [
    'directory listing',
    '# Index of /pub\n\n[../](../)\n[a.tar.gz](a.tar.gz) 2026-01-02 10:11 1.2M\n[b.txt](b.txt) 2026-01-02 10:11 12K',
    { title: 'Index of /pub' },
  ],
  ['image with a name', '![A red bicycle against a wall](https://img.example/1.jpg)'],
  [
    'web server greeting',
    '# Welcome to nginx!\n\nIf you see this page, the nginx web server is successfully installed and working. Further configuration is required.',
  ],
  ['coming soon', '# Coming soon\n\nHill Bakery opens in May at Mill Lane 4.'],
  ['opening hours', 'Mon–Fri 9–17, Sat 10–14. Closed on Sundays.'],
  ['contact', 'Call us: +44 20 7946 0000\n\nMill Lane 4'],
  ['definition', '**ephemeral** (adjective): lasting for a very short time'],
  ['table', '| Year | Rain |\n| --- | --- |\n| 2024 | 612 |\n| 2025 | 587 |'],
  [
    'drawn by a script',
    'Rain tomorrow, 12 degrees',
    { html: '<html><body><div id="root"></div><script src="/app.js"></script></body></html>' },
  ],
  [
    'filled mount point',
    'Hello world',
    {
      html: '<html><body><div id="root"><p>Hello world</p></div><script src="/app.js"></script></body></html>',
    },
  ],
  [
    'mount point of a widget',
    'Hello world',
    {
      html: '<html><body><h1>Hello world</h1><div id="app"></div><script src="/chat.js"></script></body></html>',
    },
  ],
  [
    'sensor of a guard',
    'Hello world',
    {
      html: '<html><head><script src="/_Incapsula_Resource?SWJIYLWA=1"></script><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script></head><body><p>Hello world</p></body></html>',
    },
  ],
  [
    'small inline image',
    'Hello world ![](data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)',
  ],
  [
    'large inline image',
    `Our mill in spring ![](data:image/png;base64,${'iVBORw0KGgo1AAAANSUhEUgAA'.repeat(60)})`,
  ],
  [
    'comments without script',
    '# Pea soup\n\nBoil the peas for an hour. Add mint.\n\nPlease enable JavaScript to view the comments powered by Disqus.',
  ],
  [
    'notice over a rendered page',
    'You need to enable JavaScript to run this app.\n\n# Rain gauge, mill lane\n\nRain today 4 mm, this week 11 mm, this month 42 mm. The gauge was cleaned on Monday and reads correctly again since Tuesday morning. Readings are taken every hour and kept for ten years in the village hall.',
  ],
  [
    'banner over a short page',
    'We value your privacy\n\nWe use cookies to enhance your browsing experience.\n\nAccept All\n\n# Hill Bakery\n\nWe bake rye bread, spelt rolls and seed loaves every morning from four o’clock. Our flour comes from the mill in the valley. On Saturdays there are plum cakes. Orders for the weekend until Thursday noon, please.',
  ],
  [
    'newsletter box',
    '# Frost tonight\n\nGardeners should cover their seedlings. Temperatures fall to minus three.\n\nSubscribe to our newsletter\n\nSign up',
  ],
  [
    'sign-in page that was asked for',
    '# Log in\n\nEmail\n\nPassword\n\nForgot your password?',
    { url: 'https://app.example/login', title: 'Log in – Acme' },
  ],
  [
    'empty search',
    '# Search results for "zzz"\n\nNothing found. Try another word.',
    { title: 'Search – Hill Library' },
  ],
  [
    'question',
    'Is the page not found because of my .htaccess? I moved the folder yesterday and cleared the cache, and only images fail.',
  ],
  [
    'a club',
    '# Humans\n\nWe are a club of robot builders. We meet on Mondays.',
    { title: 'Are we human?' },
  ],
  [
    'a shop for locks',
    '# Security Check\n\nWe come to your house and look at every door and window. 45 minutes, $80.',
    { title: 'Security Check | Lockwright' },
  ],
];
