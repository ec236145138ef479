import type { PageCase } from './diagnose-support.ts';

/** Checks and refusals of bot guards, in their own wording, with invented sites. */
export const BOT_CHECKS: readonly PageCase[] = [
  [
    'Cloudflare, waiting',
    '# www.example.com\n\nVerifying you are human. This may take a few seconds.\n\nwww.example.com needs to review the security of your connection before proceeding.\n\nRay ID: `8f2a1b3c4d5e6f70`\n\nPerformance & security by [Cloudflare](https://www.cloudflare.com?utm_source=challenge)',
    { title: 'Just a moment...' },
  ],
  [
    'Cloudflare, without script',
    'Just a moment...\n\nEnable JavaScript and cookies to continue',
    { contentFormat: 'text' },
  ],
  [
    'Cloudflare, the old check',
    '# Checking your browser before accessing shop.example.\n\nThis process is automatic. Your browser will redirect to your requested content shortly.\n\nPlease allow up to 5 seconds…\n\nDDoS protection by Cloudflare\nRay ID: 6f2d0a2b9c1d',
  ],
  [
    'Cloudflare, blocked',
    '# Sorry, you have been blocked\n\n## You are unable to access example.org\n\n## Why have I been blocked?\n\nThis website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution. There are several actions that could trigger this block including submitting a certain word or phrase, a SQL command or malformed data.\n\n## What can I do to resolve this?\n\nYou can email the site owner to let them know you were blocked. Please include what you were doing when this page came up and the Cloudflare Ray ID found at the bottom of this page.\n\nCloudflare Ray ID: **82f4e001c91f3aff** • Your IP: Click to reveal 203.0.113.7 • Performance & security by Cloudflare',
    { title: 'Attention Required! | Cloudflare' },
  ],
  [
    'Cloudflare, rate limit',
    '# Error 1015\n\nRay ID: 82f054f46afd9c3d • 2026-02-02 03:02:34 UTC\n\n## You are being rate limited\n\n## What happened?\n\nThe owner of this website (blog.example.net) has banned you temporarily from accessing this website.\n\nWas this page helpful? Yes No',
    { title: 'Access denied | blog.example.net used Cloudflare to restrict access' },
  ],
  ['DataDome', 'Please enable JS and disable any ad blocker', { title: 'news.example' }],
  [
    'DataDome without text',
    'news.example',
    {
      title: 'news.example',
      html: '<html lang="en"><head><title>news.example</title></head><body><script>var dd={\'rt\':\'c\'}</script><script src="https://ct.captcha-delivery.com/c.js"></script></body></html>',
    },
  ],
  [
    'PerimeterX',
    '# Access to this page has been denied\n\nPress & Hold to confirm you are a human (and not a bot).\n\nReference ID 3f8a1c20-77aa-11ee-9d2c-5b8f1e2a',
    { title: 'Access to this page has been denied' },
  ],
  [
    'PerimeterX, long',
    'Access to this page has been denied because we believe you are using automation tools to browse the website.\n\nThis may happen as a result of the following:\n\n- Javascript is disabled or blocked by an extension (ad blockers for example)\n- Your browser does not support cookies\n\nPlease make sure that Javascript and cookies are enabled on your browser and that you are not blocking them from loading.\n\nReference ID: #c9585e84-8e75-11ee',
  ],
  [
    'HUMAN, hold',
    '# Robot or human?\n\nActivate and hold the button to confirm that you’re human. Thank You!\n\nTry a different method\n\nTerms of Use Privacy Policy',
    { title: 'Robot or human?' },
  ],
  [
    'Akamai',
    '# Access Denied\n\nYou don\'t have permission to access "http://www.example.com/p/kettle-17" on this server.\n\nReference #18.2d3b1402.1700000000.1a2b3c4d\n\nhttps://errors.edgesuite.net/18.2d3b1402.1700000000.1a2b3c4d',
    { title: 'Access Denied' },
  ],
  [
    'Imperva incident',
    'Request unsuccessful. Incapsula incident ID: 1234000560012345678-98765432109876543',
  ],
  [
    'Imperva, interruption',
    "# Pardon Our Interruption\n\nAs you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:\n\n- You've disabled JavaScript in your web browser.\n- You're a power user moving through this website with super-human speed.\n- You've disabled cookies in your web browser.\n- A third-party browser plugin, such as Ghostery or NoScript, is preventing JavaScript from running. Additional information is available in this support article.\n\nTo regain access, please make sure that cookies and JavaScript are enabled before reloading the page.",
    { title: 'Pardon Our Interruption' },
  ],
  [
    'AWS',
    "# Human Verification\n\nLet's confirm you are human\n\nComplete the security check before continuing. This step verifies that you are not a bot, which helps to protect your account and prevent spam.\n\nBegin",
    { title: 'Human Verification' },
  ],
  [
    'AWS without script',
    "# JavaScript is disabled\n\nIn order to continue, we need to verify that you're not a robot. This requires JavaScript. Enable JavaScript and then reload the page.",
    { html: '<html><body><script>AwsWafIntegration.getToken()</script></body></html>' },
  ],
  [
    'search engine',
    "About this page\n\nOur systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot. Why did this happen?\n\nIP address: 203.0.113.77\nTime: 2026-03-01T10:00:00Z\nURL: https://search.example/search?q=tea",
    { title: 'https://search.example/search?q=tea' },
  ],
  [
    'finance news',
    "We've detected unusual activity from your computer network\n\nTo continue, please click the box below to let us know you're not a robot.\n\nWhy did this happen?\n\nPlease make sure your browser supports JavaScript and cookies and that you are not blocking them from loading. For more information you can review our Terms of Service and Cookie Policy.\n\nNeed Help? For inquiries related to this message please contact our support team and provide the reference ID below.\n\nBlock reference ID: 0a1b2c",
    { title: 'Market Ledger - Are you a robot?' },
  ],
  [
    'shop',
    "#### Enter the characters you see below\n\nSorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.\n\n#### Type the characters you see in this image:\n\nTry different image\n\nConditions of Use Privacy Policy",
    { title: 'Robot Check' },
  ],
  [
    'Anubis',
    "# Making sure you're not a bot!\n\nLoading...\n\nWhy am I seeing this?\n\nYou are seeing this because the administrator of this website has set up Anubis to protect the server against the scourge of AI companies aggressively scraping websites. This can and does cause downtime for the websites, which makes their resources inaccessible for everyone.\n\nAnubis is a compromise. Anubis uses a Proof-of-Work scheme in the vein of Hashcash, a proposed proof-of-work scheme for reducing email spam.\n\nSadly, you must enable JavaScript to get past this challenge.\n\nProtected by Anubis",
    { title: "Making sure you're not a bot!" },
  ],
  [
    'DDoS-Guard',
    'Checking your browser before accessing forum.example\n\nPlease wait a few seconds. Once this check is complete, the website will automatically open.',
    { title: 'DDOS-GUARD' },
  ],
  [
    'Sucuri',
    '# Sucuri WebSite Firewall - Access Denied\n\nIf you are the site owner (or you manage this site), please whitelist your IP or if you think this block is an error please open a support ticket.\n\nBlock details:\nYour IP: 203.0.113.9\nURL: example.org/wp-json/\nBlock ID: EXPVP16',
    { title: 'Sucuri WebSite Firewall - Access Denied' },
  ],
  [
    'F5',
    'The requested URL was rejected. Please consult with your administrator.\n\nYour support ID is: 1234567890123456789\n\n[Go Back]',
    { title: 'Request Rejected' },
  ],
  [
    'Vercel',
    "We're verifying your browser\n\nWebsite owner? Click here to fix\n\nfra1::1700000000-abcdef",
    { title: 'Vercel Security Checkpoint' },
  ],
  [
    'Kasada',
    '',
    {
      html: '<html><head></head><body><script>window.KPSDK={};KPSDK.now=1;</script><script src="/149e9513-01fa/ips.js"></script></body></html>',
    },
  ],
  [
    'captcha gate',
    'Please complete the CAPTCHA below to continue to Example Tickets.\n\nProtected by hCaptcha\n\nPrivacy - Terms',
  ],
  [
    'CleanTalk',
    'Anti-Crawler Protection is checking your browser and IP 203.0.113.4 for spam bots\n\nTo continue working with the web site, please make sure that you have enabled JavaScript.\n\nYou will be automatically redirected to the requested page after 3 seconds.',
  ],
  [
    'German',
    'shop.example\n\nBestätigen Sie, dass Sie ein Mensch sind, indem Sie die Aktion unten ausführen.\n\nshop.example muss die Sicherheit Ihrer Verbindung überprüfen, bevor Sie fortfahren können.\n\nRay-ID: 942b75c8bff27f46',
    { title: 'Nur einen Moment…' },
  ],
  [
    'German Anubis',
    '# Ihr Browser wird geprüft!\n\nLadevorgang...\n\nDiese Seite wird angezeigt, da der Betreiber der Webseite Anubis eingerichtet hat, um sie vor aggressiven KI-Website-Scrapern zu schützen.',
  ],
  [
    'French',
    '# annonces.example\n\nVérifiez que vous êtes humain en effectuant l’action ci-dessous.\n\nannonces.example doit vérifier la sécurité de votre connexion avant de continuer.',
    { title: 'Un instant…' },
  ],
  [
    'Spanish',
    '# Ups! Parece que algo no va bien...\n\nAlgo en tu navegador nos hizo pensar que eres un bot. Hay algunas razones por las que esto podría suceder:\n\n- Estás usando un complemento de navegador que está impidiendo que JavaScript se ejecute\n- Eres un usuario avanzado que se mueve a través de este sitio web con velocidad super humana',
  ],
  [
    'Portuguese',
    'Verificação de segurança\n\nComplete o desafio abaixo para acessar imoveis.example\n\nID da requisição: ab67807b34aca882 - Seu endereço IP: 203.0.113.2',
  ],
  [
    'Russian',
    'Подтвердите, что запросы отправляли вы, а не робот\n\nНам очень жаль, но запросы с вашего устройства похожи на автоматические. Почему это могло произойти?\n\nЯ не робот',
    { title: 'Вы не робот?' },
  ],
  [
    'Chinese',
    '正在验证您是否是真人。这可能需要几秒钟时间。\n\n继续之前，www.example.cn 需要先检查您的连接的安全性。',
    { title: '请稍候…' },
  ],
  [
    'Japanese',
    '以下のアクションを完了して、あなたが人間であることを確認してください。\n\nwww.example.jp は続行する前に接続のセキュリティを確認する必要があります。',
    { title: 'しばらくお待ちください...' },
  ],
];

export const REFUSALS: readonly PageCase[] = [
  ['nginx', '# 403 Forbidden\n\n---\n\nnginx', { title: '403 Forbidden' }],
  [
    'Apache',
    "# Forbidden\n\nYou don't have permission to access this resource.\n\nApache/2.4.58 (Ubuntu) Server at example.org Port 80",
    { title: '403 Forbidden' },
  ],
  [
    'Wordfence',
    '# Your access to this site has been limited by the site owner\n\nYour access to this service has been limited. (HTTP response code 503)\n\nIf you think you have been blocked in error, contact the owner of this site for assistance.',
  ],
  [
    'region',
    '# 451: Unavailable due to legal reasons\n\nWe recognize you are attempting to access this website from a country belonging to the European Economic Area (EEA) including the EU which enforces the General Data Protection Regulation (GDPR) and therefore access cannot be granted at this time. For any issues, contact us.',
  ],
];
