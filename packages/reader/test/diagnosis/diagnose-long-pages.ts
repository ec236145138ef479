import type { PageCase } from './diagnose-support.ts';

/** Pages about walls, with the words of walls. */
export const ABOUT_WALLS: readonly PageCase[] = [
  [
    'how a 404 page was made',
    '# How we designed our 404 page\n\nOur 404 page gets more visits than our careers page. So we asked an illustrator for a lost otter, wrote two lines of text and added a search box. Visitors stay longer now, and a third of them find what they wanted.',
  ],
  [
    '404 in an encyclopaedia',
    '# HTTP 404\n\nIn computer network communications, the HTTP 404, 404 not found or page not found error message is a status code that shows that the browser was able to communicate with a server, but the server could not find what was requested.',
    { title: 'HTTP 404 – Encyclopedia' },
  ],
  [
    '404 in a reference',
    '# 404 Not Found\n\nThe HTTP 404 Not Found client error response status code indicates that the server cannot find the requested resource. Links that lead to a 404 page are often called broken or dead links.',
    { title: '404 Not Found - HTTP | Web Reference' },
  ],
  [
    '403 in a reference',
    '# 403 Forbidden\n\nThe server understood the request but refuses to process it. This status code is similar to 401, but for 403 signing in again makes no difference.',
    { title: '403 Forbidden' },
  ],
  [
    '502 in a reference',
    '# 502 Bad Gateway\n\nThis status code indicates that a server acting as a gateway received an invalid response from the upstream server.',
    { title: '502 Bad Gateway' },
  ],
  [
    'list of codes',
    '# Status codes\n\n- 200 OK\n- 301 Moved Permanently\n- 403 Forbidden\n- 404 Not Found\n- 410 Gone\n- 429 Too Many Requests\n- 500 Internal Server Error\n- 502 Bad Gateway\n- 503 Service Unavailable\n- 504 Gateway Timeout',
  ],
  [
    'soft 404 for owners',
    '# Soft 404 errors\n\nA soft 404 is a page that tells the visitor that it does not exist but answers with a good status. Return 404 or 410 for pages that are gone.',
  ],
  [
    'a band',
    '# Page Not Found (band)\n\nPage Not Found were a punk trio from Leeds. They released two albums and broke up in 2011. Their drummer now restores clocks.',
    { title: 'Page Not Found (band)' },
  ],
  [
    'question with a quotation',
    '# Why do I get Access Denied?\n\nSince Monday the shop shows me this:\n\n> Access Denied\n> You don\'t have permission to access "http://shop.example/" on this server.\n> Reference #18.2d3b1402.17000\n\nI am at home, no VPN. Other sites work. What is it?',
  ],
  [
    'question with a block of text',
    'My scraper only gets this text back:\n\n```\nJust a moment...\nEnable JavaScript and cookies to continue\n```\n\nIs there an API instead?',
  ],
  [
    'about a check',
    '# What is a browser check?\n\nSome sites show “Checking your browser before accessing” for five seconds. Behind it runs a small puzzle that is cheap for one visitor and dear for a thousand. After it you get a cookie and are let in.',
  ],
  [
    'about a guard',
    '# Cloudflare in short\n\nCloudflare stands between visitors and servers. It caches pages, absorbs floods of requests and asks suspicious visitors to solve a challenge. Every answer carries a Ray ID with which its support finds the request again.',
  ],
  [
    'about captchas',
    '# A short history of the captcha\n\nThe first captchas showed bent letters. Machines learned to read them, so people were asked to find traffic lights. Today most checks look at the browser instead and show nothing at all.',
  ],
  [
    'captcha for developers',
    '# Adding a captcha\n\nAdd the script to your page and a div with the class `h-captcha`. On submit, send the token to your server and verify it. Never trust the client.',
  ],
  [
    'about an interruption',
    '# Pardon our dust\n\nPardon our interruption of your morning: the road in front of the shop is dug up until Friday. Use the back door, please.',
  ],
  [
    'a talk',
    "# Making sure you're not a robot: a talk\n\nOn Thursday Dr. Example speaks about how machines came to look like us. 7 pm, town hall, free entry. Tea and biscuits afterwards.",
    { title: "Making sure you're not a robot: a talk" },
  ],
  [
    'a novel',
    '# Verify You Are Human\n\nA novel of 320 pages about a night watchman who is replaced by a camera and starts to doubt his own memories. Hardcover, 18 euros. The author reads from it on Friday.',
    { title: 'Verify you are human, a novel' },
  ],
  [
    'support article on a refusal',
    '# How to fix "Sorry, you have been blocked"\n\nTurn off your VPN, clear the cookies of the site and try another browser. If it stays, write to the owner of the site and give the Ray ID.',
  ],
  [
    'cookies explained',
    '# What are cookies?\n\nCookies are small files that a site keeps in your browser. Some keep you signed in, others follow you around. You can delete them at any time in the settings of your browser.',
  ],
  [
    'cookie policy',
    '# Cookie policy\n\nWe use cookies to keep your basket and to count visits. We do not share them with third parties. You may refuse cookies in your browser; the shop then forgets your basket when you leave.',
  ],
  [
    'privacy policy',
    '# Privacy\n\nWe value your privacy. We store your name and address for as long as the law asks us to and give them to the carrier only. Write to us if you want your data erased.',
  ],
  [
    'about consent',
    '# Banners after the ruling\n\nThe court held that a button “Accept all” needs a button “Reject all” beside it. Publishers in the region changed their banners within weeks; advertising income fell by four per cent.',
  ],
  [
    'consent for developers',
    '# Consent mode\n\nCall `gtag("consent", "default", …)` before any tag. When the visitor clicks Accept all, update the state. Tags wait for it for half a second.',
  ],
  [
    'a recipe site with a policy',
    '# Gingerbread cookies\n\nMix flour, ginger and honey. Rest the dough overnight. Bake the cookies for nine minutes. Accept all compliments.',
  ],
  [
    'enabling scripts',
    '# How to enable JavaScript\n\n1. Open the settings of your browser.\n2. Choose Privacy and security, then Site settings.\n3. Under JavaScript choose Sites can use JavaScript.\n4. Reload the page.',
  ],
  [
    'scripts, German',
    '# JavaScript aktivieren\n\nÖffnen Sie die Einstellungen, wählen Sie Datenschutz und dann Website-Einstellungen. Dort lässt sich JavaScript für alle oder für einzelne Seiten erlauben.',
  ],
  [
    'about noscript',
    '# The noscript element\n\nIts content shows where scripts are off. A template of a popular framework puts the sentence "You need to enable JavaScript to run this app." there.',
  ],
  [
    'app without script',
    '# Why your app says "You need to enable JavaScript to run this app"\n\nThe server sent the shell and the bundle failed to load. Look at the network tab: usually the path of the bundle is wrong.',
  ],
  [
    'sign-in how-to',
    '# How to sign in\n\nOpen the app and tap Sign in. Enter your email address and password. If you forgot your password, tap Forgot password and follow the link in the message that we send you.',
  ],
  [
    'sign-in reference',
    '# Sign in to continue\n\nThe dialog appears after ten minutes. To change the delay, set `session.timeout` in the configuration and restart the service. Documentation of all settings is in the next chapter.',
  ],
  [
    'sign-in command',
    '# cli login\n\nYou must log in to continue using private packages. Run the command `cli login`, paste the token from your account page and press Enter.',
  ],
  [
    'forum with a reply box',
    '# My tomatoes have spots\n\nSince the rain in May the leaves have brown spots with a pale ring. Is it blight? I cut off the worst ones.\n\n— It is early blight. Remove the leaves and water the soil only.\n\nYou must log in to reply.',
  ],
  [
    'post with a comment notice',
    '# Spring in the valley\n\nThe first swallows came on Tuesday, four days early.\n\nYou must be logged in to post a comment.',
  ],
  [
    'about paywalls',
    '# Why small papers need paywalls\n\nAdvertising no longer pays for a newsroom of six. A paywall that lets three articles pass brought us 900 readers who pay five euros a month.',
  ],
  [
    'subscription offer',
    '# Subscribe\n\nDigital: $4 a month. Print and digital: $9 a month. Students pay half. Cancel at any time.',
  ],
  [
    'membership question',
    '# Membership FAQ\n\nCan I read offline? Yes, with the app. Is this content for members only? Some of it. How do I cancel? Under account.',
  ],
  [
    'domain news',
    '# Three-letter domain sold\n\nAn investor paid 90,000 dollars for a domain of three letters. The auction took nine days. Domains of this kind are rarely for sale.',
  ],
  [
    'domain lesson',
    '# Selling a domain\n\nPut a page on it that says that this domain is for sale and how to reach you. Buyers look there first.',
  ],
  [
    'about an outage',
    '# Incident report, 3 March\n\nBetween 10:02 and 10:31 UTC our gateway answered 502 Bad Gateway to one request in five. A certificate had expired. We now renew certificates two weeks ahead.',
  ],
  [
    'error in a forum',
    '# Error establishing a database connection after moving hosts\n\nI copied the files and the dump, changed wp-config.php, and still see the error message. The password is right, I can connect from the shell. The host says the port is open.',
  ],
  [
    'rate limits',
    '# Rate limits\n\nYou may send 60 requests a minute. Beyond that the API answers 429 Too Many Requests with a Retry-After header.',
  ],
  [
    'film',
    '# Access Denied (film)\n\nA thriller from 1997 about a programmer who finds a door in a building that no key opens. 94 minutes.',
    { title: 'Access Denied (1997)' },
  ],
  [
    'moment',
    '# Just a moment with the mayor\n\nFive questions between two meetings. What did you have for breakfast? Porridge. What do you read? Maps.',
    { title: 'Just a moment with the mayor' },
  ],
  [
    'travel',
    '# Before you continue to the summit\n\nFill your bottles at the hut: there is no water above. Tell the warden your name. Turn back when clouds come from the west. The path is marked in red and white.',
  ],
  [
    'German travel',
    '# Bevor Sie weitergehen\n\nFüllen Sie an der Hütte die Flaschen auf. Oberhalb gibt es kein Wasser. Kehren Sie um, wenn Wolken von Westen kommen.',
  ],
  [
    'French days',
    '# Carnaval\n\nIl vous reste trois jours pour vous inscrire au défilé. Le départ est donné à midi devant la mairie.',
  ],
];

const PARAGRAPH =
  'The harbour council voted on Tuesday to keep the old crane at the northern quay, where it has stood since the docks were dug. Three members had asked for its removal and named the cost of repairs. Engineers who examined it in spring found rust in two of its legs but judged the structure sound. ';

/** Whole articles with the menus and footers of their sites. */
export const ARTICLES: readonly PageCase[] = [
  [
    'a teaser for subscribers at its end',
    `# The crane stays\n\n${`${PARAGRAPH}\n\n`.repeat(8)}Subscribe to continue reading\n\nAlready a subscriber? Sign in`,
  ],
  [
    'a banner before it',
    `We value your privacy\n\nWe and our partners use cookies.\n\nAccept all\n\nReject all\n\n# The crane stays\n\n${`${PARAGRAPH}\n\n`.repeat(8)}`,
  ],
  [
    'a notice on scripts before it',
    `You need to enable JavaScript to run this app.\n\n# The crane stays\n\n${`${PARAGRAPH}\n\n`.repeat(4)}`,
  ],
  ['a title of a check', `${PARAGRAPH.repeat(9)}`, { title: 'Just a moment...' }],
  ['a title of a missing page', `${PARAGRAPH.repeat(9)}`, { title: 'Page not found' }],
  [
    'an encoded picture in it',
    `# The crane stays\n\n${PARAGRAPH.repeat(3)}\n\ndata:image/png;base64,${'iVBORw0KGgo1AAAANSUhEUgAA'.repeat(400)}`,
  ],
];
