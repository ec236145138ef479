import type { PageEvidence } from '../../src/diagnosis/evidence.ts';

/** Walls in the shape of real answers that once passed as pages. The reason comes first. */
export const WILD_WALLS: readonly (readonly [
  reason: string,
  content: string,
  more?: Partial<PageEvidence>,
])[] = [
  [
    'sign_in_wall',
    '#### Erreur\n\nUne erreur s’est produite, veuillez vous connecter d’une autre manière ou suivre ce que dit votre appareil.\n\nDésolé, votre mot de passe ne fonctionne pas. Il peut y avoir un problème avec le serveur.\n\nIdentifiez-vous à l’aide de votre mot de passe ou réessayez demain.\n\nS’identifier\n\nAdresse e-mail ou numéro de téléphone\n\nContinuer\n\nEn continuant, vous acceptez les conditions d’utilisation du Port. Consultez notre déclaration de confidentialité et notre politique relative aux cookies.\n\nAvez-vous besoin d’aide ?',
    { title: 'Connexion Port' },
  ],
  [
    'error_page',
    '## We’ll Be Right Back!\n\nIt looks like we’re having some trouble accessing your Harbour account. We’re working hard at getting everything back up and running, so check back soon to see your berths, your permits and your bills.\n\n© 2007–2031 Harbour, Inc. Harbour is a registered trademark of Harbour, Inc. All rights reserved. Product names and other trademarks referred to within Harbour are the property of their respective holders. This site may be compensated through third parties. Quay is a trademark of Quay Inc., registered in the U.S. and other countries. Berth Store is a service mark of Quay Inc. Pontoon is a trademark of Pontoon Inc. The anchor logo is a registered trademark owned by Anchor in the United States and other countries.',
    { title: 'Error | Harbour' },
  ],
  [
    'bot_check',
    '## Why do I have to complete a CAPTCHA?\n\nCompleting the CAPTCHA proves you are a human and gives you access for a while.\n\n## What can I do to prevent this in the future?\n\nIf you are on a personal connection, as in a flat, run a virus scan on your machine first.\n\nIf you are at an office or shared network, ask those who run it to look for infected machines there.',
    { title: 'Attention Required! | Harbour' },
  ],
  [
    'bot_check',
    '#### Click the button below to continue shopping\n\n[Conditions](/conditions) [Privacy](/privacy)\n\n© 2031 Harbour Market and its affiliates',
    { title: 'Harbour Market' },
  ],
  [
    'bot_check',
    '# Prove your humanity\n\nComplete the challenge below to continue browsing Harbour.',
    { title: 'Pair your account to this browser' },
  ],
  [
    'bot_check',
    'If you can’t pass the test, turn off the extensions of your browser for this website.\n\nStill having trouble?',
    { title: 'Verifying your browser…' },
  ],
  [
    'bot_check',
    '# It needs a human touch\n\nComplete the task and we’ll get you right back into Harbour.\n\n## Quick fixes\n\n- Turn off extensions of the browser, such as ad blockers.\n- Make sure that JavaScript is on.\n\n`ERRCODE 10002539`\n\nRequest details:\n\n- ip: `203.0.113.5`',
    { title: 'Harbour: freelance services' },
  ],
  [
    'bot_check',
    `# Humans only\n\n${'Harbour was built by the people who work there, and it keeps what they wrote for readers who are people too. '.repeat(12)}`,
    {
      title: 'Just a moment...',
      html: '<body><p>Humans only</p><script>window._cf_chl_opt={cvId:"3"}</script></body>',
    },
  ],
  [
    'bot_check',
    '# Making sure you’re not a bot!\n\nYou are seeing this because the administrator of this website has set up Anubis to keep crawlers away. This can and does cause downtime for small sites, which then are not there for people who want to read them.\n\nThe idea is that at individual scales nothing is felt, and that crawlers of many millions of pages pay for each of them with the time of their machines.\n\nUltimately, this is a placeholder solution until headless browsers are known by their fonts and other such signs, so that people with usual ones never have to see this page.',
    { title: 'Making sure you’re not a bot!' },
  ],
  [
    'bot_check',
    '## Доступ ограничен: проблема с IP\n\nИногда такое случается, чтобы вернуться, решите капчу и нажмите кнопку.\n\n- Отключить VPN.\n- Перезагрузить роутер.\n\nНе помогло? Напишите в поддержку.\n\nС него идёт слишком много запросов за короткое время.',
    { title: 'Доступ ограничен: проблема с IP' },
  ],
  [
    'bot_check',
    'Похоже, нет соединения\n\nВыключите VPN, перезагрузите роутер или смените сеть\n\nИнцидент: chlg_20310625\n\n[Написать в поддержку](/support)',
    { title: 'Похоже, нет соединения' },
  ],
  [
    'bot_check',
    '# Что-то не так...\n\nПодозрительная активность. Подождите немного.\n\nIP: 203.0.113.5\n\nНовая попытка через 00:53\n\nСтраница обновится автоматически.',
    { title: 'Почти готово...' },
  ],
  [
    'bot_check',
    '## Проверяем, что вы не робот\n\n[Условия использования](/terms)\n\nU7zqbFzMdxx',
    { title: 'Проверяем, что вы не робот' },
  ],
  [
    'bot_check',
    '# Мы проверяем ваш запрос\n\nПоверните картинку, и мы поймём, что вы не робот.',
    { title: 'Проверка запроса' },
  ],
  [
    'bot_check',
    '#### Precisamos fazer uma verificação de segurança para sua conta\n\nToque no quadro para mostrar que você não é robô.\n\nVocê chegou a esta página enquanto tentava abrir https://harbour.example/imovel',
    { title: 'Radware Bot Manager CAPTCHA' },
  ],
  [
    'bot_check',
    'Blocked\n\nHello there!\n\nYour request has been blocked due to a network policy.\n\nLog in or make an account [here](/login) to get back to browsing.\n\nScripts need developer credentials. Use a User-Agent that says clearly and honestly which script it is, because empty ones and common ones are often blocked.\n\nRead our Terms of Service [here](/terms), which also explain how much may be asked for in an hour.\n\nPlease file a ticket [here](/support) if you are sure that this should not have happened to you at all.',
  ],
  [
    'bot_check',
    'You’ve been blocked by network security.\n\nTo continue, log in or use your developer token.\n\nNot right? File a ticket below.',
  ],
  ['bot_check', 'Your access has been intercepted because your links may harm this website.'],
  ['bot_check', 'This request has been blocked by the firewall of the website.'],
  [
    'access_denied',
    '# Access Denied\n\nYour client does not have permission to get URL /a from it.',
  ],
  [
    'script_shell',
    'If you’re having trouble accessing the search, please [click here](/search?emsg=1), or send [feedback](/feedback).',
    {
      title: 'Harbour Search',
      html: '<noscript><meta content="0;url=/httpservice/retry/enablejs?sei=a" http-equiv="refresh"></noscript>',
    },
  ],
  [
    'script_shell',
    'We’ve detected that JavaScript is disabled in your browser. Would you like to use the older site?\n\nYes\n\nSomething went wrong, but let’s give it another shot together.\n\nTry again',
  ],
  [
    'consent_wall',
    '## Cookies\n\nWe use some essential cookies to make this service work.\n\nAccept analytics cookies Reject analytics cookies How we use cookies',
  ],
  [
    'subscription_wall',
    'The article you requested is only available for subscribers of the professional service.',
  ],
];

/** Pages that share their words with those walls. */
export const WILD_PAGES: readonly (readonly [content: string, more?: Partial<PageEvidence>])[] = [
  [
    '# Just a moment\n\nA poem about waiting. The kettle sings, the cat asks for the window, and a moment grows into a whole morning before anybody has said a word.',
    { title: 'Just a moment', html: '<body><script src="/a.js"></script></body>' },
  ],
  [
    '# Trouble with sign-in\n\nIf you’re having trouble accessing your account, ask the library desk. It is open from nine to five and can set a new password for your card.',
  ],
  [
    '# Access Denied\n\nReview: a film about a data centre by night. Its hero reads the words “access has been intercepted” on each screen, and the film has nothing else to offer for two hours.',
  ],
  [
    '# Похоже, нет соединения?\n\nРассказ о радиолюбителях. Они чинят приёмник на чердаке, спорят о лампах и ждут голоса с другого берега. Под утро отвечает маяк, и все идут спать.',
  ],
  [
    '# Humans only\n\nThe festival’s new stage has no machines: no drum computers, no sequencers, no samples. Twelve bands play there from Friday to Sunday.',
  ],
];
