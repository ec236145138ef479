import type { PageCase } from './diagnose-support.ts';

/** Data, code and formal texts. */
export const MATERIAL: readonly PageCase[] = [
  ['JSON', '{"error":"page not found","status":404}', { contentType: 'application/json' }],
  ['JSON without a type', '{"message":"Access Denied"}', { contentType: null }],
  ['list in JSON', '["Just a moment..."]'],
  [
    'robots.txt',
    'User-agent: *\nDisallow: /admin\nSitemap: https://a.example/sitemap.xml',
    { contentType: 'text/plain' },
  ],
  [
    'licence',
    'Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.\n\nTHE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES.',
    { contentType: 'text/plain' },
  ],
  [
    'code',
    'def main():\n    print("403 Forbidden")\n\nif __name__ == "__main__":\n    main()',
    { contentType: 'text/x-python' },
  ],
  [
    'code in a page',
    '# handler.go\n\n```go\nfunc missing(w http.ResponseWriter) {\n\thttp.Error(w, "404 page not found", 404)\n}\n```',
  ],
  ['configuration', '```nginx\nerror_page 502 503 /maintenance.html;\nreturn 403;\n```'],
  [
    'certificate',
    `-----BEGIN CERTIFICATE-----\n${(`MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYD${'k3VQp0aZ9x'.repeat(40)}`.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----`,
  ],
  [
    'public keys',
    `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ${'C7x0Qz9aK'.repeat(40)} somebody@host`,
    { contentType: 'text/plain' },
  ],
  [
    'hex dump',
    '# A block cipher by hand\n\n```\n00000000  6b c1 be e2 2e 40 9f 96  e9 3d 7e 11 73 93 17 2a\n00000010  ae 2d 8a 57 1e 03 ac 9c  9e b7 6f ac 45 af 8e 51\n```\n\nThe first row is the plain text.',
  ],
  [
    'digest',
    `${'d2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26'.repeat(4)}  big.iso`,
    { contentType: 'text/plain' },
  ],
  ['gene', `>seq1\n${'ACGTTGCAACGGTTAA'.repeat(40)}`, { contentType: 'text/plain' }],
  ['digits of pi', `3.${'14159265358979323846264338327950288'.repeat(20)}`],
  [
    'base64 lesson',
    `# Base64 by example\n\nBase64 writes three bytes as four letters. The word Man becomes TWFu. Longer input becomes a long line, such as this one, which holds a small picture:\n\n${'TWFuIGlzIGRpc3Rpbmd1aXNoZWQ5'.repeat(12)}\n\nDecode it with the command base64 --decode and look at the first bytes: they name the format. Padding at the end is written with equal signs, one or two of them, depending on how many bytes are missing from the last group of three.`,
  ],
  [
    'token lesson',
    '# Reading a token\n\nA token has three parts:\n\n`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`\n\nSplit it at the dots and decode each part.',
  ],
  [
    'PDF lesson',
    '# Inside a document\n\nA document starts with a line such as `%PDF-1.7` and goes on with objects:\n\n```\n1 0 obj\n<< /Type /Catalog >>\nendobj\n```',
  ],
  [
    'magic numbers',
    'PK are the initials of the inventor; GIF89a names a format and its year; PNG begins with a byte above 127.',
  ],
  [
    'ANSI colours',
    'The code \u001b[31m turns the text red and \u001b[0m resets it. Terminals have known it since the seventies.',
  ],
  [
    'form feeds',
    'Network Working Group\f\nRequest for Comments: 9999\n\f\nAbstract. This memo defines nothing.',
    { contentType: 'text/plain' },
  ],
  ['one lost letter', 'The caf\ufffd on the corner serves tea from six.'],
  [
    'a few broken quotes',
    `The baker said: â€œCome in.â€\u009d So we did. ${'It was warm inside and smelled of bread. '.repeat(30)}`,
  ],
  [
    'broken letters explained',
    '# Mojibake\n\nWhen UTF-8 is read as Latin-1, é turns into Ã©, è into Ã¨, ü into Ã¼, ’ into â€™, “ into â€œ and — into â€”. The cure is to declare the encoding.',
  ],
  [
    'table of broken letters',
    '# UTF-8 debugging table\n\n| Expected | Actual |\n| --- | --- |\n| À | Ã€ |\n| Â | Ã‚ |\n| Ã | Ãƒ |\n| Ä | Ã„ |\n| Å | Ã… |\n| Ç | Ã‡ |\n| È | Ãˆ |\n| É | Ã‰ |\n| Ê | ÃŠ |',
  ],
  [
    'letters of the North',
    'Æ Ø Å: øl, ål, ærø, Øresund, Århus, blåbærgrød, rødgrød med fløde, ærøskøbing, fåborg, nørrebrogade, østerbro.',
  ],
  [
    'French',
    'L’été dernier, « à l’époque où les élèves étaient déjà là », cet hôtel a été rénové. Ça a coûté très cher, même après négociation…',
  ],
  [
    'Ukrainian',
    'Січень у Рівному: сніг, лід і тиша. Рівень річки Стир знизився. Їжаки сплять. Ґанок замело.',
  ],
  [
    'Vietnamese',
    'Thành phố đã mở lại cây cầu sau hai năm sửa chữa. Người dân rất vui mừng vì việc đi lại dễ dàng hơn.',
  ],
];
