import { blog, newspaper, shop, tables } from './chromes-first.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'first', title, chrome, blocks });

export const FIRST_PLACES: readonly CorpusPage[] = [
  page(
    'stove',
    'shop',
    shop,
    'Ridge 2 spirit stove',
    'A stove for two that boils half a litre in under six minutes and packs into its own pot. It burns any spirit and has no part that can break.',
    { h2: 'Details' },
    {
      ul: [
        'Weight: 310 g with pot',
        'Fuel: 60 ml for one boil and a simmer',
        'Material: hard anodised aluminium',
      ],
    },
    {
      table: [
        ['Size', 'Pot', 'Weight', 'Price'],
        ['Small', '0.6 l', '240 g', '£34.00'],
        ['Large', '1.0 l', '310 g', '£42.00'],
      ],
    },
    'Made in Wales. If a part wears out, we send you a new one as long as the stove exists.',
  ),
  page(
    'tent',
    'shop',
    shop,
    'Fold tent for one',
    '£189.00',
    'In stock, sent within two days.',
    'A tent for one person that stands with a single pole and six pegs. The inner hangs from the outer, so that it goes up dry in the rain.',
    {
      dl: [
        ['Weight', '980 g'],
        ['Packed size', '38 × 12 cm'],
        ['Water column', '3000 mm'],
      ],
    },
  ),
  page(
    'rainfall',
    'data',
    newspaper,
    'Rainfall by month at Harbour Point',
    'The station at Harbour Point has measured rain since 1931. The table gives the means of three periods in millimetres.',
    {
      table: [
        ['Month', '1931–1960', '1961–1990', '1991–2020'],
        ['January', '92', '98', '113'],
        ['April', '51', '49', '47'],
        ['July', '60', '55', '52'],
        ['October', '101', '108', '121'],
        ['Year', '905', '921', '987'],
      ],
    },
    'Winters have become wetter and summers a little drier, by about the same share at all four stations of the county.',
  ),
  page(
    'links-list',
    'list',
    blog,
    'Tools I use',
    'A list that I keep for myself, sorted by how often I reach for them.',
    {
      ul: [
        '<a href="https://a.example">Marking gauge by Hollis</a>',
        '<a href="https://b.example">Japanese saw, 240 mm</a>',
        '<a href="https://c.example">Block plane from a flea market</a>',
        '<a href="https://d.example">Water stones, 1000 and 6000</a>',
        '<a href="https://e.example">Shooting board, home made</a>',
      ],
    },
  ),
  page(
    'dovecote',
    'old',
    tables,
    'The dovecote at Aldmoor',
    'The dovecote stands two hundred yards north of the church and was built, if the stone over its door is to be believed, in 1612.',
    'It has 640 nest holes, of which about a third are still in use. The turning ladder in the middle was made new by the village carpenter in 1978 and can be moved with one finger.',
    'Visitors are welcome on Sundays from two to five. Please keep the lower door shut, as the birds are shy.',
  ),
  page(
    'mill',
    'old',
    tables,
    'Mill notes no. 14',
    'The sluice has been mended and the wheel turned again on the third of the month, for the first time since the flood.',
    {
      table: [
        ['Day', 'Sacks ground', 'Level'],
        ['Monday', '12', '0.8'],
        ['Tuesday', '15', '0.9'],
        ['Friday', '7', '0.6'],
      ],
    },
    'Flour can be bought at the door while it lasts.',
  ),
  page(
    'jp-news',
    'abroad',
    newspaper,
    '港の防波堤、修復に二年の見通し',
    '市は四日、一月の高波で壊れた北防波堤の修復に少なくとも二年かかるとの見通しを明らかにした。調査では四十一個のブロックがずれているのが確認された。',
    '市港湾課の担当者は「百年に一度と考えていた波が、この十年あまりで三度来た。設計の考え方を見直す必要がある」と話している。',
    { h2: '費用の負担' },
    '修復費はおよそ十四億円と見込まれ、六割を県が、残りを港湾会社が負担する。計画案は五月の市議会に提出される予定だ。',
  ),
  page(
    'ru-blog',
    'abroad',
    blog,
    'Как я чинил старые часы',
    'Часы достались мне от деда и молчали лет двадцать. В мастерской сказали, что проще купить новые, и я решил попробовать сам.',
    'Сначала нужно снять стрелки, не погнув ось. Для этого под них кладут сложенный лист бумаги и поднимают двумя отвёртками сразу с двух сторон.',
    { h2: 'Чистка' },
    'Детали я мыл в бензине и сушил на льняной тряпке. Масло берут совсем немного: капля с булавочную головку на каждый камень.',
  ),
];
