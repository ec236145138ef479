/** Parameters: https://serpapi.com/search-api */

type ParameterCheck = (value: string) => boolean;

const anything: ParameterCheck = () => true;
const some: ParameterCheck = (value) => value.trim() !== '';
const boolean: ParameterCheck = (value) => value === 'true' || value === 'false';
const bit: ParameterCheck = (value) => value === '0' || value === '1';
const integer: ParameterCheck = (value) => /^\d+$/.test(value);
const decimal: ParameterCheck = (value) => /^-?\d+(\.\d+)?$/.test(value);
const country: ParameterCheck = (value) => /^[a-z]{2}$/.test(value);
const language: ParameterCheck = (value) => /^[a-z]{2,3}(-[a-z0-9]{2,4})?$/i.test(value);
const oneOf =
  (...values: readonly string[]): ParameterCheck =>
  (value) =>
    values.includes(value);

const CHECKS: Readonly<Record<string, ParameterCheck>> = {
  engine: oneOf('google'),
  q: some,
  api_key: anything,
  output: oneOf('json', 'html'),
  /** In which the official clients name themselves. */
  source: anything,
  /** Taken and without effect. */
  num: integer,
  start: integer,
  location: some,
  uule: some,
  lat: decimal,
  lon: decimal,
  radius: integer,
  gl: country,
  hl: language,
  lr: some,
  cr: some,
  google_domain: (value) => /^google\.[a-z.]+$/.test(value),
  tbs: some,
  tbm: oneOf('isch', 'lcl', 'nws', 'pts', 'shop', 'vid'),
  safe: oneOf('active', 'off'),
  nfpr: bit,
  filter: bit,
  device: oneOf('desktop', 'tablet', 'mobile'),
  no_cache: boolean,
  async: boolean,
  zero_trace: boolean,
  json_restrictor: some,
  ludocid: some,
  kgmid: some,
  si: some,
  ibp: some,
};
const ADVANCED = /^as_[a-z]+$/;

/** Pairs that exclude each other. */
const CLASHES: readonly (readonly [string, string])[] = [
  ['location', 'uule'],
  ['location', 'lat'],
  ['uule', 'lat'],
];

/** The first thing that is wrong with a query string, in the vendor's words; undefined = nothing. */
export function refusalOf(parameters: URLSearchParams): string | undefined {
  if (!some(parameters.get('q') ?? '')) return 'Missing query `q` parameter.';
  for (const [name, value] of parameters) {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (!check && !ADVANCED.test(name)) return `Unsupported \`${name}\` parameter.`;
    if (parameters.getAll(name).length > 1) return `Repeated \`${name}\` parameter.`;
    if (check && !check(value)) return `Unsupported \`${value}\` value of \`${name}\` parameter.`;
  }
  if (parameters.has('lat') !== parameters.has('lon')) return '`lat` and `lon` need each other.';
  const isTrue = (name: string) => parameters.get(name) === 'true';
  if (isTrue('no_cache') && isTrue('async')) return '`no_cache` and `async` cannot be combined.';
  const clash = CLASHES.find(([one, other]) => parameters.has(one) && parameters.has(other));
  return clash ? `\`${clash[0]}\` and \`${clash[1]}\` cannot be combined.` : undefined;
}
