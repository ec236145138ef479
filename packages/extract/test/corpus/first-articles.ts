import { blog, newspaper } from './chromes-first.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'first', title, chrome, blocks });

export const FIRST_ARTICLES: readonly CorpusPage[] = [
  page(
    'breakwater',
    'article',
    newspaper,
    'Storm damage to the breakwater will take two years to repair',
    'Engineers who walked the length of the northern breakwater on Monday counted 41 displaced blocks, each of them as heavy as a loaded lorry, and said that the repair would take at least two winters.',
    'The damage was done in a single night in January, when waves of eight metres, the highest since records began in the town, broke over the wall for six hours.',
    {
      figure: 'Displaced blocks at the northern end, photographed at low water.',
      alt: 'Concrete blocks',
    },
    '“We had planned for a storm like this once in a hundred years,” said Tove Lindqvist, who leads the harbour office. “It is the third since 2011, so we have to plan differently.”',
    { h2: 'Who pays' },
    'The county will carry 60 per cent of the cost, which is put at 14 million, and the port company the rest. A <a href="/docs/plan">draft plan</a> is to be laid before the council in May.',
    'Until the work is done, ferries will not sail in winds above force 7 from the north-east.',
  ),
  page(
    'night-train',
    'article',
    newspaper,
    'Night trains return to the coast line after eleven years',
    'Passengers will again be able to fall asleep in the capital and wake by the sea from 14 December, when the first sleeper in eleven years leaves platform nine at 22.48.',
    'The operator has rebuilt 32 carriages from the 1980s. Each has nine compartments, showers at one end and, for the first time, two berths for travellers who use a wheelchair.',
    { quote: 'Nobody needs another fast train. What people miss is an unhurried one.' },
    {
      table: [
        ['Stop', 'Arrives', 'Departs'],
        ['Capital Central', '', '22:48'],
        ['Ardle Junction', '01:15', '01:40'],
        ['Fenwick', '04:52', '04:55'],
        ['Harbour', '06:31', ''],
      ],
      caption: 'Timetable from 14 December',
    },
    'Tickets cost between 39 and 159 and go on sale in September. Bicycles travel for nine more, as long as they are booked two days ahead.',
  ),
  page(
    'bees',
    'article',
    newspaper,
    'City beekeepers count their losses after a wet spring',
    'Four out of ten colonies kept on roofs and in gardens did not live to see May, according to a count by the beekeepers’ association that was published on Tuesday.',
    'The reason is not a disease but the weather. In April it rained on 24 days, so that the bees could not fly, and what they had stored was eaten before the limes came into flower.',
    'Members who fed their colonies sugar syrup in March lost only half as many. The association now advises everyone to weigh hives in February and to feed those below eleven kilograms.',
    {
      ul: [
        'Weigh every hive in the second week of February.',
        'Feed syrup only above ten degrees, paste when it is colder.',
        'Keep the entrance clear of dead bees.',
      ],
    },
    'New colonies can be had from the association’s apiary from June on; the waiting list has 70 names.',
  ),
  page(
    'short-news',
    'article',
    newspaper,
    'Library reopens on Saturday',
    'The central library opens again on Saturday at ten after a year of building work, with twice as many desks and a room for children under the roof.',
    'There are tours at eleven and at two. No booking is needed.',
  ),
  page(
    'mortise',
    'article',
    blog,
    'Cutting a mortise without a machine',
    'I own a mortising machine and have not switched it on since August. It is not that the machine is bad; it is that by the time I have set the fence and the stop, the chisel would have been done.',
    'A mortise is a rectangular hole, and the only thing that matters about it is that its walls are flat and parallel. Depth is easy, length hardly matters, and the bottom is seen by nobody.',
    { h2: 'Marking out' },
    'Set a gauge with two pins to the width of the chisel, never the chisel to the gauge. Mark both faces from the same side of the board, or the two halves will not meet.',
    {
      ol: [
        'Clamp the piece over a leg of the bench, not between the legs.',
        'Start in the middle with the bevel away from you.',
        {
          text: 'Work towards the end in steps:',
          ul: ['a step is as deep as it is long', 'lever only against waste'],
        },
        'Turn round and do the other half.',
      ],
    },
    { h2: 'Cleaning up' },
    'Pare the end walls last. If the tenon squeaks on its way in, stop there: glue swells the wood, and a joint that goes home dry with a mallet will split when it is wet.',
  ),
  page(
    'shell-script',
    'article',
    blog,
    'Renaming ten thousand photographs',
    'My camera begins again at 0001 after every ten thousand pictures, which means that two of them now share every name. This is the script that gave each a name of its own.',
    'It reads the time at which the picture was taken and puts it in front. Where two pictures share a second, the old number keeps them apart.',
    {
      code: 'for file in *.jpg; do\n  taken=$(exiftool -s3 -d %Y%m%d-%H%M%S -DateTimeOriginal "$file")\n  if [ -z "$taken" ]; then\n    echo "no date: $file" >&2\n    continue\n  fi\n  mv -n "$file" "$taken-$file"\ndone',
      lang: 'bash',
    },
    'The <code>-n</code> is what lets me sleep: it never overwrites. Run it on a copy first all the same.',
    'On my machine it took four minutes for the lot, nearly all of it spent starting <code>exiftool</code> ten thousand times. Given a directory, that program could do the whole job at once, in about twelve seconds.',
  ),
  page(
    'recipe',
    'article',
    blog,
    'Plum cake with a crumble top',
    'This is the cake that my neighbour brings when somebody moves in. It keeps for three days under a cloth and is best on the second.',
    { h2: 'You need' },
    {
      ul: [
        '1 kg plums, stoned and halved',
        '300 g flour',
        '150 g cold butter',
        '120 g sugar',
        '2 eggs',
        '1 pinch of salt',
      ],
    },
    { h2: 'Method' },
    {
      ol: [
        'Rub 200 g of the flour with 100 g butter and half of the sugar until it looks like sand.',
        'Bind with the eggs and press into a tin of 26 cm.',
        'Lay the plums on it in circles, cut side up.',
        'Crumble what is left of flour, butter and sugar over them.',
        'Bake at 180 °C for 45 minutes.',
      ],
    },
    'Do not skip the salt. If the plums are sour, dust the cake with sugar once it is cold rather than before baking, or they will weep.',
  ),
];
