import type { PageEvidence } from '../../src/diagnosis/evidence.ts';

/** Short pages that share their words with walls, written after the rules. */
export const SECOND_PAGES: readonly (readonly [content: string, more?: Partial<PageEvidence>])[] = [
  ['Rain.'],
  ['Not yet.'],
  ['v2.3.1'],
  ['# Today\n\nClosed.'],
  [
    '# 404 Broadway\n\nA bar with live jazz at 404 Broadway. Open from six.',
    { title: '404 Broadway' },
  ],
  ['# Lost and found\n\nA blue scarf was found at the stop by the mill. Ask at the office.'],
  [
    '# Page 404\n\n"…and so the captain closed the book." Page 404 of the second edition has a printing error.',
  ],
  ['# Cookies\n\nOur bakery sells oat cookies, 6 for $5. Accept all major cards.'],
  [
    '# Do you accept cookies?\n\nQuestions about consent banners come up in every workshop. The short answer: ask before you store anything that is not needed. Offer a clear no.',
  ],
  [
    '# Are you a robot?\n\nSupport asked me this last week. I had answered 300 tickets in a day, with the same greeting. Since then I add a joke to every third one, and nobody has asked again.',
    { title: 'Are you a robot?' },
  ],
  [
    '# JavaScript is required\n\nFor this job you need JavaScript, SQL and some patience. 30 hours a week, remote. Write to jobs@example.org until 1 May.',
    { title: 'Developer (JavaScript is required)' },
  ],
  [
    '# Security Check\n\nThe airport opens a second security check in Terminal B on Monday. Waiting times should fall to ten minutes. Travellers with connecting flights use gate 14.',
    { title: 'Security check opens in Terminal B' },
  ],
  [
    '# Blocked\n\nA drain is blocked when water stands in the sink. Pour hot water first, then use a plunger. Never mix cleaners.',
    { title: 'Blocked' },
  ],
  [
    '# Members\n\nThis page lists the members of the rowing club. Sign in sheets hang in the boat house. New members pay 20 euros.',
  ],
  [
    '# Subscribe by RSS\n\nSubscribe to read new posts in your reader: /feed.xml. There is no newsletter.',
  ],
  [
    '# Release notes 4.2\n\n- Fixed: 502 Bad Gateway behind some proxies\n- Fixed: “Page not found” after renaming\n- New: dark mode',
  ],
  [
    '# Error 500\n\nThe Error 500 is a race over 500 kilometres of gravel. Start: 4 June, 5 am. Riders carry their own spares.',
    { title: 'Error 500 – gravel race' },
  ],
  [
    '# Domain for sale?\n\nNo. Please stop asking. I have had this name since 1998 and my mail lives here.',
  ],
  ['Die Bibliothek ist heute geschlossen.'],
  ['Aujourd’hui : soupe de potiron, 6 €'],
  ['本日休業'],
  ['Сегодня закрыто.'],
  ['# Captcha Coffee\n\nWe roast on Tuesdays. Prove you are human: say hello to the dog.'],
  [
    '# Log in to the Wi-Fi\n\nChoose the network Guest, open any page and enter your room number. It works for seven days.',
  ],
  [
    '# Anubis\n\nAnubis is the god of funerary rites in ancient Egyptian religion, shown as a man with the head of a jackal. He weighs the heart against a feather.',
    { title: 'Anubis' },
  ],
  [
    '# Request unsuccessful\n\nOur request for a longer lease was unsuccessful, so the workshop closes in June. Thank you for eleven years. The last tools go to the school on the hill.',
    { title: 'Lease request unsuccessful' },
  ],
  [
    '# Maintenance\n\nOil the chain every 200 km. Check the brakes monthly.',
    { title: 'Maintenance' },
  ],
  ['# Loading\n\nLoading dock hours: 6 to 14. Ring twice.', { title: 'Loading' }],
  ['Forbidden City: open 8:30 to 17:00, closed on Mondays.', { title: 'Forbidden City' }],
  [
    '# Too many requests\n\nWe had too many requests for the spring tour, so there will be a second one on 9 May. Write to us with your name and the number of seats.',
    { title: 'Too many requests: second tour' },
  ],
  ['ssh-keygen -t ed25519 -C "me@example.org"\ncat ~/.ssh/id_ed25519.pub'],
  ['Ångström, Ærø, Œuvre, Žižek, Łódź, Škoda, façade, naïve, Zoë'],
  ['Enter the characters you see below the portraits in the guest book of the exhibition.'],
  [
    '# Cloudflare Ray\n\nThe ray ID names one request. Look it up under Security events in the dashboard, filter by ID and open the row.',
  ],
  ['# Sign in sheet\n\nPlease sign in at the desk, take a badge and wait for your host.'],
  [
    '# Server is down for the count\n\nThe waiter of the year has retired after 41 years of service.',
  ],
  [
    '# The page boy\n\nA page boy not found in any record carried the train of the queen in 1559.',
    { title: 'Page boy not found in records' },
  ],
  ['Password: at least twelve characters. No spaces.'],
  [
    '# Enable JavaScript\n\nIn the menu choose Settings, then Web, then switch JavaScript on.',
    { title: 'Enable JavaScript – Help' },
  ],
  [
    '# Press and hold\n\nPress and hold the power key for ten seconds. The lamp blinks twice and the router restarts with factory settings.',
  ],
  [
    '# Verify your address\n\nTo get a library card, bring a letter that shows your address. We verify it at the desk.',
  ],
  [
    '# Bot or not\n\nA quiz with ten poems. Five were written by a machine. Guess which and win a book.',
    { title: 'Bot or not: the poetry quiz' },
  ],
  [
    '# Please log in your hours\n\nVolunteers log in their hours on the sheet by the door. Thank you.',
  ],
  ['# We use cookies\n\n…as prizes in our quiz! Oat, ginger and lemon. Come on Friday at eight.'],
  [
    '# Just a moment…\n\nWatchmaker, Mill Lane 3. Repairs while you wait.',
    { title: 'Just a Moment – watches' },
  ],
  ['# Unavailable\n\nThe blue paint is unavailable until May. Green and grey are in stock.'],
  ['# Error\n\nErr or? A pun I never understood.'],
  ['# Gone\n\nShe left at dawn. The kettle was still warm.'],
  ['# Nothing to see here\n\nA photo series about fog.'],
  [
    '# 503\n\nBus 503 leaves from the mill every twenty minutes until midnight.',
    { title: 'Bus 503' },
  ],
  [
    '# Lost page of a diary\n\nThe page you are looking for in volume two was torn out, said the archivist. It surfaced in a drawer in Kiel.',
  ],
  ['The domain of the function is all real numbers except zero.'],
  ['# Subscriber numbers\n\nThis content farm lost half of its subscribers in a year.'],
  [
    '# Robot lawn mowers\n\nPress the button, confirm you are not on the lawn, and let it run. The browser app shows where it is.',
  ],
  ['# Sorry\n\nSorry, we are closed for a wedding. Back on Monday.', { title: 'Sorry' }],
  [
    '# FAQ\n\n## Why have I been blocked?\n\nYou entered a wrong code five times. Wait an hour or call us.\n\n## Can I change my code?\n\nYes, in your profile.',
  ],
  [
    '# Zugriff verweigert\n\nWenn Windows „Zugriff verweigert“ meldet, gehört die Datei einem anderen Konto. Öffnen Sie die Eigenschaften und übernehmen Sie den Besitz.',
    { title: 'Zugriff verweigert: was tun?' },
  ],
  [
    '# Weiterlesen\n\nWeiterlesen mit Kindern: zehn Tipps für lange Abende. Erstens: vorlesen, bis sie nicht mehr zuhören. Zweitens: aufhören, wenn es spannend ist.',
  ],
  ['Sitemap: https://a.example/sitemap.xml', { contentType: 'text/plain' }],
];
