import { magazine, mobile, office } from './chromes-second.ts';
import type { Block, Category, Chrome, CorpusPage } from './page.ts';

const page = (
  name: string,
  category: Category,
  chrome: Chrome,
  title: string,
  ...blocks: readonly Block[]
): CorpusPage => ({ name, category, half: 'second', title, chrome, blocks });

export const SECOND_ARTICLES: readonly CorpusPage[] = [
  page(
    'lamplight',
    'article',
    magazine,
    'The town that kept its gas lamps',
    'At a quarter to five in the afternoon, Edda Brandt unlocks a shed behind the fire station, takes a ladder of ash wood from its hooks and goes out to light eleven lamps.',
    'There were four hundred of them once. When the gas works closed in 1969 the town kept one street as it was, at first because nobody had the money to change it and later because nobody wanted to.',
    'The mantles come from a maker in the south who has two employees and an order book that reaches into next year. A good one lasts nine months; a bad one, two nights.',
    { h2: 'A light that moves' },
    'What visitors notice is not how dark it is but that the light is never still. “You see faces differently,” Brandt says. “People speak more quietly here, and they don’t know why.”',
    { quote: 'A lamp that has to be lit by somebody is a lamp that somebody looks after.' },
    'The council has voted every five years on whether to go on. The last vote was nineteen to two.',
  ),
  page(
    'salt',
    'article',
    magazine,
    'What salt does to bread',
    'Leave the salt out of a loaf and the dough will tell you within the hour: it rises too fast, tears where it should stretch, and comes from the oven pale and flat of taste.',
    'Salt slows the yeast by drawing water from it. It also tightens the gluten, so that the gas stays where it is made. Two parts in a hundred of flour is what most bakers settle on.',
    {
      figure: 'Two loaves of the same dough, the one on the left without salt.',
      alt: 'Two loaves',
    },
    'Add it late and kneading is easier, since dough without salt takes up water faster. That is the whole secret of letting flour and water rest for half an hour before anything else is done.',
    'Coarse salt works as well as fine, as long as it has time to dissolve.',
  ),
  page(
    'ferry',
    'article',
    mobile,
    'Ferry crew rescues walker from mudflats',
    'A man of 58 was brought to safety on Thursday evening after he had sunk to his hips in the mud east of the landing stage.',
    'The crew of the last ferry saw the light of his telephone and laid boards across the flats, along which two of them crawled for eighty metres.',
    'He was cold but unhurt. The coastguard asks walkers to turn back two hours before high water and never to cross alone.',
  ),
  page(
    'strike',
    'article',
    mobile,
    'Bus drivers accept new pay offer',
    'Drivers of the county’s buses have voted by 71 per cent to accept an offer that raises their pay by 5.2 per cent this year and 3 per cent next year.',
    'The strike planned for Monday is off, and all lines will run to the usual timetable.',
    {
      ul: ['Night lines gain a second driver on Fridays.', 'Breaks are counted as work from July.'],
    },
    'The union’s secretary called it a fair result after eleven weeks of talks.',
  ),
  page(
    'press-release',
    'article',
    magazine,
    'Norrland Pumps opens works in Halsted',
    'HALSTED, 3 June 2025 – Norrland Pumps today opened its fourth works, which will make bilge and fire pumps for the whole of northern Europe and employ 120 people.',
    'The works cost 38 million and draws two thirds of its power from the roof. It was built in fourteen months by firms from the region.',
    '“Halsted gives us deep water, skilled people and a railway,” said Kersti Vall, managing director. “We looked at nine places and kept coming back to this one.”',
    'Norrland Pumps was founded in 1922 and sells to 60 countries. In 2024 it had 840 employees and a turnover of 210 million.',
  ),
  page(
    'parking',
    'article',
    office,
    'Apply for a resident’s parking permit',
    'You can apply for a permit if you live in a controlled zone and the vehicle is registered at your address. A household may hold two.',
    { h2: 'What you need' },
    {
      ul: [
        'proof of address that is less than three months old',
        'the registration document of the vehicle',
        'a debit or credit card',
      ],
    },
    { h2: 'What it costs' },
    {
      table: [
        ['Emissions in g/km', 'First permit', 'Second permit'],
        ['up to 75', '£32', '£64'],
        ['76 to 150', '£58', '£116'],
        ['over 150', '£95', '£190'],
      ],
    },
    'Permits are valid for twelve months. You will get an email within two working days, and no paper permit is sent.',
  ),
  page(
    'abstract',
    'article',
    office,
    'Sediment transport in a dammed estuary: ten years of observation',
    'We report ten years of turbidity and current measurements from an estuary whose upper third was closed by a barrage in 2009. Samples were taken hourly at four depths.',
    'Mean suspended load above the barrage fell by 62 % within two years, whereas deposition below it rose by 31 % and reached a new balance only after 2017.',
    'The results suggest that models with a constant erosion rate overestimate recovery by a factor of two. Data and code are available from the authors.',
    {
      dl: [
        ['Keywords', 'estuary, barrage, sediment, turbidity'],
        ['Received', '12 January 2025'],
      ],
    },
  ),
  page(
    'faq',
    'article',
    office,
    'Questions about the new bins',
    'From April every household will have four bins. These are the questions that we are asked most often.',
    { h3: 'When will my bins arrive?' },
    'Between 3 and 28 March. A card with your day comes a week before.',
    { h3: 'Where do I put glass?' },
    'In the grey bin, without lids. Lids go into the yellow one.',
    { h3: 'What if I have no room?' },
    'Ask for the set of small bins, or share with a neighbour. Sharing halves the fee.',
  ),
];
