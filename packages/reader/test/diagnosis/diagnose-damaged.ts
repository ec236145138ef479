import { misread, type PageCase } from './diagnose-support.ts';

const bytes = (length: number, step: number): string =>
  String.fromCharCode(...Array.from({ length }, (_, index) => (index * step + 7) % 256));

export const BINARIES: readonly PageCase[] = [
  [
    'PDF',
    '%PDF-1.7\n%âãÏÓ\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n4 0 obj\n<< /Length 2210 /Filter /FlateDecode >>\nstream\nx9cÝ\nendstream',
  ],
  ['zip', `PK\u0003\u0004${bytes(600, 37)}`],
  [
    'PNG with lost bytes',
    `\ufffdPNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR${'\ufffd\u0000A'.repeat(80)}`,
  ],
  ['JPEG', `ÿØÿà\u0000\u0010JFIF\u0000${bytes(400, 91)}`],
  ['any bytes', bytes(4_000, 101)],
];

const encoded = (length: number): string =>
  Buffer.from(
    Array.from({ length }, (_, index) => (index * index * 31 + index * 7) % 251),
  ).toString('base64');

export const ENCODED: readonly PageCase[] = [
  ['one run', encoded(1_500)],
  ['wrapped', (encoded(1_500).match(/.{1,76}/g) ?? []).join('\n')],
  ['data URL', `data:image/png;base64,${encoded(900)}`],
  ['image and nothing else', `![](data:image/png;base64,${encoded(900)})`],
];

const FRENCH =
  'Après deux années de travaux, le pont de la ville basse a été rouvert à la circulation. Les commerçants, très présents à la cérémonie, espèrent désormais le retour des clients égarés. Le maire a rappelé que le coût avait dépassé les prévisions, à cause de difficultés géologiques imprévues.';
const RUSSIAN =
  'После двух лет ремонта мост через реку снова открыт для пешеходов. Жители города довольны, но торговцы хотят больше места для машин.';
const JAPANESE =
  '二年間の工事を終えて、橋は再び歩行者に開放された。市民は喜んでいるが、商店主たちは駐車場の増設を求めている。';

export const MISREAD: readonly PageCase[] = [
  ['French', misread(FRENCH, 'windows-1252')],
  ['Russian as Western', misread(RUSSIAN, 'windows-1252')],
  ['Russian as Cyrillic', misread(RUSSIAN, 'windows-1251')],
  ['Japanese as Western', misread(JAPANESE, 'windows-1252')],
  [
    'Chinese in GBK as Western',
    'ÄãºÃ£¬ÊÀ½ç¡£ÕâÊÇÒ»¸ö²âÊÔÒ³Ãæ¡£ »¶Ó­·ÃÎÊÎÒÃÇµÄÍøÕ¾ ÇÅÁºÒÑ¾­ÖØÐÂ¿ª·Å ÊÐÃñºÜ¸ßÐË ÉÌµêÏ£ÍûÓÐ¸ü¶à³µÎ»',
  ],
  [
    'lost letters',
    'B\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd 12 \ufffd\ufffd\ufffd\ufffd, \ufffd\ufffd\ufffd\ufffd\ufffd.',
  ],
];

export const EMPTY: readonly PageCase[] = [
  ['nothing', ''],
  ['blanks', ' \n\t\n\u00a0\n'],
  ['rules and marks', '---\n\n* * *\n\n> |\n\n#\n'],
  ['images without a name', '![](https://img.example/1.png)\n\n![](https://img.example/2.png)'],
  ['icons', '• · — … ✓ ★'],
  ['empty elements', '<div class="wrap"></div>\n<br/>'],
];
