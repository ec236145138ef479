import type { PageCase } from './diagnose-support.ts';

export const CONSENT_WALLS: readonly PageCase[] = [
  [
    'search engine',
    '# Before you continue to Google\n\nWe use [cookies](https://policies.google.com/technologies/cookies) and data to\n\n- Deliver and maintain Google services\n- Track outages and protect against spam, fraud, and abuse\n- Measure audience engagement and site statistics to understand how our services are used and enhance the quality of those services\n\nIf you choose to "Accept all," we will also use cookies and data to\n\n- Develop and improve new services\n- Deliver and measure the effectiveness of ads\n- Show personalized content, depending on your settings\n\nIf you choose to "Reject all," we will not use cookies for these additional purposes.\n\nNon-personalized content is influenced by things like the content you’re currently viewing and your location.\n\nReject all\n\nAccept all\n\nMore options\n\n[Privacy](https://policies.google.com/privacy) [Terms](https://policies.google.com/terms)',
    { title: 'Before you continue to Google' },
  ],
  [
    'search engine, German',
    'Bevor Sie zu Google weitergehen\n\nWir verwenden Cookies und Daten, um\n\n- Google-Dienste zu erbringen und zu betreiben\n- Ausfälle zu prüfen und Maßnahmen gegen Spam, Betrug und Missbrauch zu ergreifen\n\nAlle ablehnen Alle akzeptieren\n\nWeitere Optionen',
  ],
  [
    'video portal, French',
    "# Avant d'accéder à YouTube\n\nNous utilisons des cookies et des données pour\n\n- Proposer les services Google et s'assurer qu'ils fonctionnent correctement\n\nTout refuser\n\nTout accepter\n\nPlus d'options",
  ],
  [
    'portal',
    "Yahoo is part of the Yahoo family of brands.\n\nWhen you use our sites and apps, we use cookies to:\n\n- provide our sites and apps to you\n- authenticate users, apply security measures, and prevent spam and abuse\n\nIf you click 'Accept all', we and our partners will also store and/or access information on a device.\n\nAccept all\n\nReject all\n\nManage privacy settings",
  ],
  [
    'manager, English',
    'We value your privacy\n\nWe and our 842 partners store and/or access information on a device, such as cookies and process personal data, such as unique identifiers and standard information sent by a device for personalised advertising and content, advertising and content measurement, audience research and services development. With your permission we and our partners may use precise geolocation data.\n\nMORE OPTIONS\n\nREJECT ALL\n\nACCEPT ALL',
    { title: 'Daily Ledger' },
  ],
  [
    'manager, German',
    '# Mit Werbung weiterlesen\n\nBesuchen Sie tagblatt.example wie gewohnt mit Werbung und Tracking. Details zum Tracking finden Sie in der Datenschutzerklärung und im Privacy Center.\n\nAkzeptieren und weiter\n\nSie haben das Pur-Abo schon? Hier anmelden.\n\n[Impressum](/impressum) [Datenschutz](/datenschutz) [AGB](/agb)',
  ],
  [
    'manager, German, short',
    'Wir benötigen Ihre Zustimmung\n\nWir und unsere Partner verwenden Cookies und ähnliche Technologien. Ihre Einwilligung können Sie jederzeit widerrufen.\n\nAlle akzeptieren\nEinstellungen oder ablehnen',
  ],
  [
    'manager, French',
    '**Le respect de votre vie privée est notre priorité**\n\nAvec votre accord, nos partenaires et nous utilisons des cookies ou technologies similaires pour stocker et accéder à des informations personnelles comme votre visite sur ce site. Vous pouvez retirer votre consentement à tout moment.\n\nContinuer sans accepter\n\nAccepter et fermer',
  ],
  [
    'manager, Spanish',
    '## Valoramos tu privacidad\n\nNosotros y nuestros socios almacenamos o accedemos a información en un dispositivo, como cookies, y procesamos datos personales para publicidad personalizada.\n\nMás opciones   Aceptar todo',
  ],
  [
    'manager, Italian',
    'Noi e i nostri partner archiviamo e/o accediamo a informazioni su un dispositivo (come i cookie) e trattiamo i dati personali. Puoi liberamente prestare, rifiutare o revocare il tuo consenso.\n\nAccetta tutto\nContinua senza accettare',
  ],
  [
    'manager, Dutch',
    'Jouw privacy is belangrijk voor ons\n\nWij gebruiken cookies en vergelijkbare technieken voor gepersonaliseerde advertenties.\n\nAkkoord',
  ],
  [
    'manager, Polish',
    'Szanujemy Twoją prywatność\n\nMy i nasi partnerzy przechowujemy informacje na urządzeniu, takie jak pliki cookie, i przetwarzamy dane osobowe. Twoja zgoda na przetwarzanie danych osobowych jest dobrowolna.\n\nPRZEJDŹ DO SERWISU',
  ],
];

export const SHELLS: readonly PageCase[] = [
  ['create-react-app', 'You need to enable JavaScript to run this app.', { title: 'React App' }],
  [
    'Vue',
    "**We're sorry but portal doesn't work properly without JavaScript enabled. Please enable it to continue.**",
    { title: 'portal' },
  ],
  [
    'social network',
    "# JavaScript is not available.\n\nWe've detected that JavaScript is disabled in this browser. Please enable JavaScript or switch to a supported browser to continue using chirp.example. You can see a list of supported browsers in our Help Center.\n\n[Help Center](https://help.chirp.example) [Terms of Service](/tos) [Privacy Policy](/privacy)\n\n© 2026 Chirp Corp.",
  ],
  ['notice', 'Please turn on JavaScript in your browser and reload the page.'],
  ['German', 'Bitte aktivieren Sie JavaScript in Ihrem Browser, um diese Seite anzuzeigen.'],
  ['French', 'Veuillez activer JavaScript pour continuer.'],
  [
    'Spanish',
    'JavaScript está desactivado en tu navegador. Por favor, activa JavaScript para usar esta aplicación.',
  ],
  ['Russian', 'Для работы сайта необходимо включить JavaScript.'],
  ['Japanese', 'このページを表示するには、JavaScriptを有効にしてください。'],
  [
    'Chinese',
    '很抱歉，当前页面无法正常运行，因为您的浏览器未启用 JavaScript。请启用 JavaScript 后继续使用。',
  ],
  ['only loading', 'Loading…', { title: 'Dashboard' }],
  [
    'empty mount point',
    'Acme Console',
    {
      title: 'Acme Console',
      html: '<!doctype html><html><head><title>Acme Console</title></head><body><div id="root"></div><script type="module" src="/assets/index-4f2a.js"></script></body></html>',
    },
  ],
  [
    'empty mount point, no text',
    '',
    {
      html: '<html><head><title>x</title></head><body><app-root></app-root><script src="main.js"></script></body></html>',
    },
  ],
];

export const MISSING: readonly PageCase[] = [
  [
    'Apache',
    '# Not Found\n\nThe requested URL /old/page.html was not found on this server.\n\nApache/2.4.58 (Debian) Server at example.org Port 443',
    { title: '404 Not Found' },
  ],
  ['Go server', '404 page not found', { contentFormat: 'text', contentType: 'text/plain' }],
  [
    'IIS',
    '## 404 - File or directory not found.\n\n### The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.',
    { title: '404 - File or directory not found.' },
  ],
  [
    'WordPress',
    '[Home](/) [About](/about) [Blog](/blog) [Contact](/contact)\n\n# Oops! That page can’t be found.\n\nIt looks like nothing was found at this location. Maybe try a search or one of the links below?\n\n[Privacy](/privacy)\n\n© 2026 Hill Bakery. Proudly powered by WordPress',
    { title: 'Page not found – Hill Bakery' },
  ],
  [
    'framework',
    '# 404\n\n## This page could not be found.',
    { title: '404: This page could not be found.' },
  ],
  [
    'shop',
    "Sorry, we couldn't find that page\n\nTry searching or go to the home page.",
    { title: '404 Not Found | Kettle Shop' },
  ],
  [
    'social network',
    "Sorry, this page isn't available.\n\nThe link you followed may be broken, or the page may have been removed. Go back to Picgram.",
  ],
  [
    'German',
    '# Seite nicht gefunden\n\nDie angeforderte Seite konnte nicht gefunden werden. Bitte prüfen Sie die Adresse oder gehen Sie zur [Startseite](/).',
    { title: 'Fehler 404 | Stadt Musterhausen' },
  ],
  [
    'French',
    '# Page introuvable\n\nLa page que vous recherchez n’existe pas ou a été déplacée.\n\n[Retour à la page d’accueil](/)',
  ],
  [
    'Spanish',
    '# Página no encontrada\n\nLo sentimos, la página que buscas no existe.',
    { title: 'Página no encontrada - Diario Ejemplo' },
  ],
  ['Italian', 'Pagina non trovata\n\nLa pagina richiesta non esiste.'],
  [
    'Russian',
    '# Страница не найдена\n\nК сожалению, запрашиваемая страница не существует. Вернуться на главную.',
    { title: 'Ошибка 404' },
  ],
  [
    'Japanese',
    '# ページが見つかりません\n\nお探しのページは移動または削除された可能性があります。',
  ],
  ['Chinese', '抱歉，您访问的页面不存在\n\n返回首页'],
];
