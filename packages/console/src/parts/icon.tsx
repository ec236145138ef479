/** Drawn on a grid of 16, with lines of 1.5. */
const PATHS = {
  account:
    'M8 8a2.75 2.75 0 1 0 0-5.5A2.75 2.75 0 0 0 8 8Zm-5 5.5c.6-2.4 2.5-3.5 5-3.5s4.4 1.1 5 3.5',
  alert: 'M8 2.5 14.2 13.5H1.8L8 2.5ZM8 6.75v3M8 11.5v.25',
  audit: 'M4 2.5h8v11H4zM6.25 5.5h3.5M6.25 8h3.5M6.25 10.5h2',
  book: 'M3 3.25c2-.75 3.75-.5 5 .5 1.25-1 3-1.25 5-.5v9.25c-2-.75-3.75-.5-5 .5-1.25-1-3-1.25-5-.5zM8 3.75v9.25',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  check: 'm3 8.5 3.25 3.25L13 4.75',
  'chevron-down': 'm4 6.25 4 4 4-4',
  'chevron-left': 'm9.75 4-4 4 4 4',
  'chevron-right': 'm6.25 4 4 4-4 4',
  'chevron-up': 'm4 9.75 4-4 4 4',
  circle: 'M8 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10Z',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3.25l2 1.25',
  close: 'm4 4 8 8m0-8-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5m5-7L14 8l-3.5 3.5',
  copy: 'M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z',
  dot: 'M8 9.25a1.25 1.25 0 1 0 0-2.5 1.25 1.25 0 0 0 0 2.5Z',
  download: 'M8 2.5v7.5m-3-3 3 3 3-3M3 13.5h10',
  edit: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  external: 'M9 2.5h4.5V7M13.5 2.5 7.5 8.5M11.5 9.5v4h-9v-9h4',
  eye: 'M1.75 8C3.25 5.25 5.5 4 8 4s4.75 1.25 6.25 4C12.75 10.75 10.5 12 8 12S3.25 10.75 1.75 8ZM8 9.75a1.75 1.75 0 1 0 0-3.5 1.75 1.75 0 0 0 0 3.5Z',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  folder: 'M2 4h4.5L8 5.5h6v7.5H2z',
  globe:
    'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM2.5 8h11M8 2.5c1.5 1.5 2.25 3.35 2.25 5.5S9.5 12 8 13.5C6.5 12 5.75 10.15 5.75 8S6.5 4 8 2.5Z',
  info: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 7.25v3.5M8 5v.25',
  key: 'M5.25 12.75a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5ZM7.25 8.25 13 2.5m-2.5 2.5 2 2M8.75 6.75l1.5 1.5',
  keyboard: 'M1.75 4h12.5v8H1.75zM4.25 6.5v.25m2.5-.25v.25m2.5-.25v.25m2.5-.25v.25M5 9.5h6',
  link: 'M7 9.25a2.6 2.6 0 0 0 3.7 0l2-2A2.6 2.6 0 0 0 9 3.5L8.25 4.25M9 6.75a2.6 2.6 0 0 0-3.7 0l-2 2A2.6 2.6 0 0 0 7 12.5l.75-.75',
  live: 'M8 9.25a1.25 1.25 0 1 0 0-2.5 1.25 1.25 0 0 0 0 2.5ZM5 11a4.2 4.2 0 0 1 0-6m6 0a4.2 4.2 0 0 1 0 6M3 13A7 7 0 0 1 3 3m10 0a7 7 0 0 1 0 10',
  lock: 'M3.75 7.25h8.5v6h-8.5zM5.5 7.25V5a2.5 2.5 0 0 1 5 0v2.25',
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  minus: 'M3.5 8h9',
  more: 'M3.75 8v.01M8 8v.01M12.25 8v.01',
  people:
    'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.75 13c.4-2.25 2-3.5 4.25-3.5s3.85 1.25 4.25 3.5M10.5 3.25a2.25 2.25 0 0 1 0 4M11.75 9.75c1.35.5 2.25 1.6 2.5 3.25',
  play: 'M4.5 3v10l8-5z',
  plug: 'M6 2.5v3m4-3v3M4 5.5h8v2.25a4 4 0 0 1-8 0zM8 11.75v2',
  plus: 'M8 3v10M3 8h10',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.55M13 2.5v3h-3',
  route:
    'M3.5 12.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM12.5 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM5 11h4.25a2 2 0 0 0 2-2V6.5M3.5 9.5V5h5',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.25 10.25 13.5 13.5',
  settings:
    'M2.5 4.5h6m3 0h2M2.5 11.5h2m3 0h6M10 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM6 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  sessions: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11zM5 5v.01M5 11v.01',
  sort: 'm5 6 3-3 3 3M5 10l3 3 3-3',
  stop: 'M4 4h8v8H4z',
  theme: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 2.5v11M10 3.5v9M12 5v6',
  tree: 'M3 2.5v9h4M3 5.5h4M9 4h4.5v3H9zM9 10h4.5v3H9z',
  trash: 'M2.75 4.5h10.5M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9M6.75 7v4m2.5-4v4',
} as const;

export type IconName = keyof typeof PATHS;

export interface IconProps {
  readonly name: IconName;
  readonly size?: number;
}

/**
 * A picture next to a text, or in a control that has a name of its own: hidden from screen readers.
 */
export function Icon({ name, size = 16 }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' || name === 'dot' ? 2 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
