import type { PageCase } from './diagnose-support.ts';

const TEASER =
  'The harbour council voted on Tuesday to keep the old crane at the northern quay. Three members had asked for its removal, citing the cost of repairs. Engineers who examined it in spring found rust in two of its legs but judged the structure sound. The vote ends a dispute that had lasted for almost four years.';

export const SUBSCRIPTIONS: readonly PageCase[] = [
  [
    'newspaper',
    `# The crane stays\n\n${TEASER}\n\nSubscribe to read the full story.\n\nAlready a subscriber? Sign in`,
  ],
  [
    'magazine',
    '# The Long Night of the Lighthouse\n\nBy A. Writer\n\nSubscribe to continue reading\n\n$1 per week for the first year. Cancel anytime.\n\nAlready a subscriber? Log in',
  ],
  [
    'verification',
    `# The crane stays\n\n${TEASER}\n\nThank you for your patience while we verify access. If you are in Reader mode please exit and log into your account, or subscribe for all of it.\n\nAlready a subscriber? Log in.\n\nWant all of it? Subscribe.`,
  ],
  [
    'newsletter',
    '# Notes on tides\n\nA short look at what the moon does.\n\n## This post is for paid subscribers\n\nSubscribe\n\nAlready a paid subscriber? Sign in',
  ],
  [
    'Medium',
    `# Ten tips for better soup\n\nMember-only story\n\n${TEASER}\n\n## Create an account to read the full story.\n\nThe author made this story available to Medium members only.\n\nContinue in app\n\nAlready have an account? Sign in`,
  ],
  [
    'limit',
    "You've reached your limit of free articles.\n\nStart your free trial: unlimited access for $4 per month.",
  ],
  [
    'German magazine',
    '# Missliche Plakatwerbung\n\nDer Kandidat wollte den Streit um die Plakate rasch beenden. Doch im Ortsverein rumort es weiter.\n\nDiesen Artikel weiterlesen mit BLATT+\n\nSie haben bereits ein Digital-Abo? Zum Login\n\nNur für Neukunden: € 1,– für 4 Wochen, danach € 5,99 pro Woche. Jederzeit kündbar.',
  ],
  [
    'French newspaper',
    '# Le pont rouvre\n\nAprès deux ans de travaux, le pont de la ville basse rouvre aux piétons.\n\nIl vous reste 72.4% de cet article à lire. La suite est réservée aux abonnés.',
  ],
  [
    'Spanish newspaper',
    '# El mercado cambia\n\nEl viejo mercado central tendrá un nuevo tejado antes del verano.\n\nSuscríbete para seguir leyendo',
  ],
  [
    'Danish newspaper',
    '# Broen åbner igen\n\nEfter to år er broen klar.\n\nDenne artikel er kun for abonnenter\n\nAllerede abonnent? Log ind',
  ],
  [
    'Japanese newspaper',
    '# 港のクレーン保存へ\n\n市議会は火曜日、古いクレーンを残すことを決めた。\n\nこの記事は有料会員限定です。残り812文字',
  ],
];

export const SIGN_INS: readonly PageCase[] = [
  [
    'network',
    '# Sign in to continue\n\nEmail or phone\n\nPassword\n\nForgot password?\n\nSign in\n\nNew to Worklink? Join now',
  ],
  [
    'social network',
    'You must log in to continue.\n\nLog in\n\nForgotten account? · Create new account',
  ],
  ['forum', 'Please log in to view this topic.\n\nUsername\n\nPassword\n\nLog in'],
  [
    'German forum',
    'Sie müssen angemeldet sein, um diesen Beitrag zu sehen.\n\nBenutzername\n\nPasswort\n\nPasswort vergessen?',
  ],
  ['Chinese', '请登录后查看完整内容\n\n登录 注册'],
];

export const ERROR_PAGES: readonly PageCase[] = [
  ['gateway', '# 502 Bad Gateway\n\n---\n\nnginx/1.24.0', { title: '502 Bad Gateway' }],
  [
    'unavailable',
    '# Service Unavailable\n\nThe server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.',
    { title: '503 Service Unavailable' },
  ],
  [
    'browser',
    '# This site can’t be reached\n\n**www.example.com** took too long to respond.\n\nTry:\n\n- Checking the connection\n- Checking the proxy and the firewall\n\nERR_CONNECTION_TIMED_OUT',
  ],
  ['database', '# Error establishing a database connection'],
  [
    'WordPress',
    'There has been a critical error on this website. Please check your site admin email inbox for instructions.',
  ],
  [
    'maintenance',
    'Briefly unavailable for scheduled maintenance. Check back in a minute.',
    { title: 'Maintenance' },
  ],
  [
    'host',
    '# Application error\n\nAn error occurred in the application and your page could not be served. If you are the application owner, check your logs for details.',
  ],
];

export const PARKED: readonly PageCase[] = [
  [
    'dealer',
    '# pinegrove.example\n\nThis domain is for sale!\n\nBuy now\n\nMake an offer',
    { title: 'pinegrove.example is for sale' },
  ],
  [
    'German dealer',
    '# pinegrove.example\n\nDiese Domain steht zum Verkauf\n\nDomain kaufen\n\nJetzt anfragen',
  ],
];
