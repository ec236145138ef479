import type { PageEvidence } from '../../src/diagnosis/evidence.ts';

/** Walls that were written after the rules, as a second opinion. The reason comes first. */
export const SECOND_WALLS: readonly (readonly [
  reason: string,
  content: string,
  more?: Partial<PageEvidence>,
])[] = [
  [
    'bot_check',
    '# Security verification\n\nThis website uses a security service to protect against malicious bots. This page is displayed while the website verifies you are not a bot.\n\nRay ID: 9a0f4c2e',
    { title: 'Just a moment...' },
  ],
  [
    'bot_check',
    'www.jobs.example\n\nVerify you are human by completing the action below.\n\nwww.jobs.example needs to review the security of your connection before proceeding.',
  ],
  [
    'bot_check',
    'You have been blocked\n\nYou are browsing and clicking at a speed much faster than expected of a human being.\nThere is a robot on the same network (IP 203.0.113.5) as you.\n\nNeed help? Submit feedback.\n\nReference ID: d0f1',
  ],
  [
    'bot_check',
    '# One more step\n\nPlease complete the security check to access tickets.example\n\nWhy do I have to complete a CAPTCHA?\n\nCompleting the CAPTCHA proves you are a human and gives you temporary access to the web property.',
  ],
  [
    'bot_check',
    'Before proceeding to your request, you need to solve a puzzle.\n\nPress & Hold\n\nHuman Challenge requires verification. Please press and hold the button until verified',
    { title: 'Access to this page has been denied.' },
  ],
  [
    'bot_check',
    '# Verifying your browser\n\nPlease wait while we verify your browser. This should only take a moment.\n\nProtected by AntiBot',
  ],
  ['bot_check', '安全验证\n\n请完成安全验证后继续访问\n\n拖动滑块完成拼图', { title: '安全验证' }],
  [
    'bot_check',
    'Um momento…\n\nConfirme que você é humano realizando a ação abaixo.\n\nwww.loja.example precisa verificar a segurança da sua conexão antes de prosseguir.',
  ],
  [
    'consent_wall',
    'Diese Website verwendet Cookies\n\nWir verwenden Cookies, um Inhalte und Anzeigen zu personalisieren. Außerdem geben wir Informationen an unsere Partner weiter.\n\nNur notwendige Cookies verwenden\n\nAlle Cookies akzeptieren',
  ],
  [
    'consent_wall',
    'We Care About Your Privacy\n\nWe and our 1467 partners store and access personal data, like browsing data or unique identifiers, on your device. Selecting I Accept enables tracking technologies to support the purposes shown.\n\nI Accept\n\nReject All\n\nShow Purposes',
  ],
  [
    'consent_wall',
    'Tu privacidad es importante para nosotros\n\nUtilizamos cookies propias y de terceros para analizar tu navegación y mostrarte publicidad.\n\nAceptar y continuar\n\nConfigurar',
  ],
  ['script_shell', 'This site requires JavaScript to be enabled. Please enable it and refresh.'],
  ['script_shell', 'Enable JavaScript to continue\n\nThis app needs JavaScript.'],
  ['script_shell', 'Abilita JavaScript per utilizzare questa applicazione.'],
  [
    'soft_404',
    '# We can’t find the page you’re looking for\n\nIt may have moved, or the link may be wrong.\n\n[Home](/) [Help](/help)',
    { title: 'Page Not Found | Acme' },
  ],
  [
    'soft_404',
    'Hmm, this page doesn’t exist. Try searching for something else.',
    { title: 'chirp' },
  ],
  [
    'soft_404',
    '# 404\n\nDie Seite konnte nicht gefunden werden.\n\n[Zur Startseite](/)',
    { title: '404 – Verein Beispiel' },
  ],
  ['soft_404', '요청하신 페이지를 찾을 수 없습니다.\n\n홈으로 이동'],
  ['soft_404', 'Sorry, the page you are looking for could not be found.', { title: 'Not Found' }],
  [
    'subscription_wall',
    '# Markets steady before rate decision\n\nTraders expect no change on Thursday, though two members have hinted at a cut.\n\nSubscribe to unlock this article\n\nTry unlimited access: $1 for 4 weeks\n\nThen $75 per month. Complete digital access to quality journalism.',
  ],
  [
    'subscription_wall',
    '# Der Fluss kommt zurück\n\nNach zwölf Jahren fließt wieder Wasser durch das alte Bett.\n\nWeiterlesen mit Blatt Plus\n\nJetzt kostenlos testen',
  ],
  [
    'subscription_wall',
    '# La ville change ses bus\n\nLes nouvelles lignes ouvriront en avril.\n\nArticle réservé aux abonnés\n\nAbonnez-vous dès 1 €\n\nDéjà abonné ? Connectez-vous',
  ],
  [
    'sign_in_wall',
    'Log in to see photos and videos from friends\n\nMobile number, username or email\n\nPassword\n\nLog in\n\nForgot password?',
  ],
  [
    'sign_in_wall',
    'You need to sign in to view this document.\n\nSign in with your organisation account.',
  ],
  ['error_page', '503 Service Temporarily Unavailable\n\nnginx'],
  [
    'error_page',
    'Internal Server Error\n\nThe server encountered an internal error or misconfiguration and was unable to complete your request.',
  ],
  [
    'error_page',
    'Web server is down Error code 521\n\nVisit cloudflare.com for more information.\n\nWhat happened?\n\nThe web server is not returning a connection. As a result, the web page is not displaying.',
  ],
  [
    'mojibake',
    'Ð\u009fÑ\u0080Ð¸Ð²ÐµÑ\u0082, Ð¼Ð¸Ñ\u0080! Ð\u00adÑ\u0082Ð¾ Ð½Ð¾Ð²Ð¾Ñ\u0081Ñ\u0082Ð¸ Ð³Ð¾Ñ\u0080Ð¾Ð´Ð°.',
  ],
  ['binary_as_text', '\u0000\u0001\u0002\ufffd\ufffd\u0003abc'.repeat(60)],
  [
    'access_denied',
    'You have been banned from this site.\n\nIf you think there has been a mistake, please contact the administrator.',
  ],
  [
    'bot_check',
    'example.net\n\n# Checking if the site connection is secure\n\nexample.net needs to review the security of your connection before proceeding.\n\nDid you know bots historically made up nearly 40% of all internet traffic?\n\nRay ID: 7a1b',
  ],
  [
    'bot_check',
    '# Access Denied\n\nYou don\'t have permission to access "http&#58;&#47;&#47;www&#46;airline&#46;example&#47;" on this server.\n\nReference&#32;&#35;18&#46;c5d7',
    { title: 'Access Denied' },
  ],
  [
    'bot_check',
    'Unusual traffic detected\n\nOur systems have detected unusual traffic from your computer network. Please try your request again later.',
  ],
  [
    'bot_check',
    'Vous avez été bloqué(e)\n\nVous naviguez et cliquez à une vitesse bien supérieure à celle attendue d’un être humain.\n\nVeuillez activer JS et désactiver tout bloqueur de publicité',
  ],
  [
    'bot_check',
    'Проверка браузера перед переходом на сайт forum.example\n\nЭто займёт несколько секунд.\n\nDDoS-GUARD',
  ],
  [
    'bot_check',
    'Human verification\n\nI am human\n\nhCaptcha Privacy - Terms',
    { title: 'Human Verification' },
  ],
  [
    'bot_check',
    'La tua connessione è in fase di verifica\n\nwww.negozio.example deve verificare la sicurezza della connessione prima di procedere.',
    { title: 'Un momento...' },
  ],
  [
    'bot_check',
    'Please verify you are a human\n\nAccess to this page has been denied because we believe you are using automation tools to browse the website.',
  ],
  [
    'bot_check',
    'Block reference: 7781\n\nYour request was blocked due to suspicious activity. Contact the site owner if you think this is wrong.',
  ],
  [
    'consent_wall',
    'Cookies zustimmen\n\nBesuchen Sie unser Angebot mit Werbung und Tracking. Um der Nutzung mit Werbung zuzustimmen, ist JavaScript nötig. Informationen auf einem Gerät speichern, personalisierte Anzeigen und Inhalte.\n\nZustimmen und weiter',
  ],
  [
    'consent_wall',
    'Antes de continuar en YouTube\n\nUsamos cookies y datos para ofrecer y mantener los servicios de Google.\n\nRechazar todo\n\nAceptar todo\n\nMás opciones',
  ],
  [
    'consent_wall',
    '# Vi värnar om din integritet\n\nVi och våra partner lagrar information på en enhet, till exempel cookies, och behandlar personuppgifter.\n\nGodkänn alla\n\nAvvisa alla',
  ],
  ['script_shell', 'This page requires JavaScript. Please enable it in your browser settings.'],
  [
    'script_shell',
    'Je hebt JavaScript nodig om deze app te gebruiken. Schakel JavaScript in en herlaad de pagina.',
  ],
  [
    'script_shell',
    'Task Board',
    {
      title: 'Task Board',
      html: '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Task Board</title><link rel="stylesheet" href="/a.css"></head><body class="x"><noscript>Please enable JavaScript</noscript><div id="app" class="full"></div><script src="/b.js"></script></body></html>',
    },
  ],
  [
    'soft_404',
    '# Nie znaleziono strony\n\nStrona, której szukasz, nie istnieje albo została przeniesiona.',
    { title: '404' },
  ],
  [
    'soft_404',
    "Whoops! The page you were looking for doesn't exist.\n\nYou may have mistyped the address or the page may have moved.",
    { title: "The page you were looking for doesn't exist (404)" },
  ],
  ['soft_404', 'Sidan kunde inte hittas\n\nKontrollera adressen eller gå till startsidan.'],
  [
    'soft_404',
    '# Página não encontrada\n\nA página que você procura não existe. Voltar ao início.',
  ],
  [
    'subscription_wall',
    '# Quiet year for storks\n\nFewer nests were counted than last year, and most of them in the east.\n\nThis article is exclusive to subscribers.\n\nLog in Subscribe',
  ],
  ['subscription_wall', '# 市场观察\n\n今年的茶叶价格有所上涨。\n\n本文为付费内容，订阅后继续阅读'],
  [
    'sign_in_wall',
    'Inicia sesión para continuar\n\nCorreo electrónico\n\nContraseña\n\n¿Olvidaste tu contraseña?',
  ],
  ['error_page', '# 504 Gateway Time-out\n\nThe server didn’t respond in time.'],
  [
    'error_page',
    'Application error: a client-side exception has occurred (see the browser console for more information).',
  ],
  ['access_denied', '# Too Many Requests\n\nnginx', { title: '429 Too Many Requests' }],
  [
    'mojibake',
    'MÃ¼nchen fÃ¼hrt GebÃ¼hren fÃ¼r groÃŸe MÃ¼lltonnen ein. Die BÃ¼rger Ã¤rgern sich Ã¼ber die hÃ¶heren BetrÃ¤ge.',
  ],
];
