/** What the pages of these tests say. */
export const SENTENCES = [
  'The engineers measured the current below the bridge for three years before they chose a place.',
  'Each turbine turns slowly, so that fish can pass between its blades, and makes power for eight hours a day.',
  'In winter, when the tides are strong, the station sends more than half of its power to the mainland.',
  'Nearby villages own a third of the company, and they decide each spring how its profit is used.',
  'A second station is planned further north, where the water is deeper and ships seldom pass.',
  'The ministry has said that it will pay for the cable if the first two years go well.',
  'Critics say that the price of the power is still higher than that of wind from the hills.',
  'Its makers answer that the tides, unlike the wind, can be foretold for the next hundred years.',
];
