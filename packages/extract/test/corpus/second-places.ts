import { encyclopedia, magazine, mobile, office } from './chromes-second.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'second', title, chrome, blocks });

export const SECOND_PLACES: readonly CorpusPage[] = [
  page(
    'adze',
    'wiki',
    encyclopedia,
    'Adze',
    'An <b>adze</b> is a <a href="/wiki/Cutting">cutting</a> tool whose blade stands across its handle, like that of a hoe. It is used for smoothing timber and, in many places, for hollowing out <a href="/wiki/Boat">boats</a>.<sup class="reference"><a href="#cite-1">[1]</a></sup>',
    { h2: 'History' },
    'Adzes of stone are among the oldest tools with a handle. Blades of greenstone were traded over distances of more than a thousand kilometres.',
    { h2: 'Types' },
    {
      table: [
        ['Type', 'Edge', 'Use'],
        ['Foot adze', 'straight', 'levelling floors and beams'],
        ['Gutter adze', 'curved', 'hollowing gutters'],
        ['Shipwright’s adze', 'straight, lipped', 'planking'],
      ],
    },
    'The shipwright’s adze has a pin on its poll for driving nails below the surface.',
    { h2: 'See also' },
    { ul: ['<a href="/wiki/Axe">Axe</a>', '<a href="/wiki/Drawknife">Drawknife</a>'] },
  ),
  page(
    'tide-mill',
    'wiki',
    encyclopedia,
    'Tide mill',
    'A <b>tide mill</b> is a <a href="/wiki/Watermill">water mill</a> driven by the rise and fall of the tide. A dam with a sluice makes a pond which fills as the tide comes in and is let out through the wheel.',
    { figure: 'A tide mill at low water.', alt: 'Mill' },
    { h2: 'Working day' },
    'Since high water comes fifty minutes later each day, so did the miller’s hours. A mill could grind for about five hours on each tide.',
    { h2: 'Decline' },
    'Steam made the hours of the sea a burden. Of some 200 mills on the western coasts in 1850, fewer than ten were at work in 1930.',
  ),
  page(
    'medals',
    'data',
    encyclopedia,
    'Results of the 1934 regatta',
    'Eleven crews from six towns took part. Times are in minutes and seconds.',
    {
      table: [
        ['Place', 'Crew', 'Town', 'Time'],
        ['1', 'Sea Holly', 'Brennmouth', '21:04'],
        ['2', 'Kittiwake', 'Halsted', '21:31'],
        ['3', 'Good Intent', 'Fenwick', '21:33'],
        ['4', 'Provider', 'Aldmoor', '22:50'],
      ],
    },
  ),
  page(
    'population',
    'data',
    office,
    'Population of the wards',
    'Figures from the count of 2021, rounded to the nearest ten.',
    {
      table: [
        ['Ward', 'People', 'Households', 'Mean age'],
        ['Quayside', '8,410', '4,120', '36.2'],
        ['Hilltop', '11,960', '5,030', '44.8'],
        ['Mill End', '6,270', '2,740', '39.5'],
      ],
      caption: 'Wards of the city',
    },
  ),
  page(
    'index-page',
    'list',
    office,
    'All services for residents',
    { h2: 'Waste' },
    {
      ul: [
        '<a href="/w/1">Find your bin day</a>',
        '<a href="/w/2">Report a missed bin</a>',
        '<a href="/w/3">Order a larger bin</a>',
      ],
    },
    { h2: 'Roads' },
    {
      ul: [
        '<a href="/r/1">Report a pothole</a>',
        '<a href="/r/2">Street lights</a>',
        '<a href="/r/3">Roadworks this week</a>',
      ],
    },
    { h2: 'Housing' },
    { ul: ['<a href="/h/1">Apply for housing</a>', '<a href="/h/2">Report a repair</a>'] },
  ),
  page(
    'zh',
    'abroad',
    magazine,
    '保留煤气灯的小镇',
    '下午四点三刻，布兰特打开消防站后面的棚子，取下一架白蜡木梯子，出门去点亮十一盏路灯。',
    '这里曾经有四百盏煤气灯。一九六九年煤气厂关闭以后，镇上保留了一条街的灯，起初是因为没有钱改造，后来是因为谁也不愿意改。',
    '灯罩来自南方的一家小作坊，那里只有两名工人，订单已经排到明年。好的灯罩可以用九个月，差的只能用两夜。',
  ),
  page(
    'ar',
    'abroad',
    mobile,
    'طاقم عبّارة ينقذ رجلاً من الطين',
    'أُنقذ رجل في الثامنة والخمسين من عمره مساء الخميس بعد أن غاص في الطين حتى خصره شرق المرسى.',
    'رأى طاقم العبّارة الأخيرة ضوء هاتفه فوضعوا ألواحاً خشبية على الطين وزحف اثنان منهم ثمانين متراً.',
    'ويطلب خفر السواحل من المتنزهين العودة قبل المدّ بساعتين وألّا يعبروا وحدهم.',
  ),
  page(
    'hi',
    'abroad',
    office,
    'नए कूड़ेदानों के बारे में प्रश्न',
    'अप्रैल से हर घर में चार कूड़ेदान होंगे। यहाँ वे प्रश्न हैं जो हमसे सबसे अधिक पूछे जाते हैं।',
    { h3: 'कूड़ेदान कब आएँगे?' },
    'तीन से अट्ठाईस मार्च के बीच। एक सप्ताह पहले आपको कार्ड मिलेगा।',
    { h3: 'काँच कहाँ डालें?' },
    'धूसर डिब्बे में, ढक्कन के बिना। ढक्कन पीले डिब्बे में जाते हैं।',
  ),
  page(
    'ko',
    'abroad',
    encyclopedia,
    '조력 방앗간',
    '조력 방앗간은 밀물과 썰물의 힘으로 움직이는 물레방아이다. 둑과 수문으로 만든 못에 밀물 때 물을 채우고 썰물 때 바퀴를 통해 내보낸다.',
    { h2: '하루의 일' },
    '만조는 날마다 오십 분씩 늦어지므로 방앗간의 일하는 시간도 그만큼 늦어졌다. 한 번의 조수로 다섯 시간쯤 곡식을 빻을 수 있었다.',
  ),
];
