/**
 * The file of `PROVIDERS_FILE`, as its published JSON schema says. Rules between members are in
 * `faults.ts`.
 */
import { FILTERS, TRAINING_USES } from '@trawl/contract';
import { z } from 'zod';
import { WHOLE } from '../values/paths.ts';

/** The row fields that a declaration may map. The others are made of these and of the order. */
export const MAPPED_FIELDS = [
  'url',
  'title',
  'summary',
  'excerpt',
  'full_content',
  'publish_date',
  'thumbnail',
  'favicon',
  'author',
] as const;
export type MappedField = (typeof MAPPED_FIELDS)[number];

/** An object with these keys only; the problem of another one lists them. */
const only = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `has an unknown key; it takes ${Object.keys(shape).join(', ')}`
        : undefined,
  });

const text = (max: number) => z.string().min(1).max(max);

const PATH = /^[^.[\]]+(?:\.[^.[\]]+)*$/;
const PATH_FORM =
  'must be a path of keys with dots between them, such as data.items or image.0.url';
const path = z
  .string()
  .regex(PATH, { error: PATH_FORM, abort: true })
  .refine((written) => !written.startsWith('$.'), PATH_FORM);

const parameter = text(200);
const named = <Name extends string>(names: readonly Name[], member: z.ZodType<string>) =>
  Object.fromEntries(names.map((name) => [name, member.optional()])) as Record<
    Name,
    z.ZodOptional<z.ZodType<string>>
  >;

const SLUG_FORM =
  'must be 2 to 40 characters: small letters and digits, with single - or _ between them';

const VALUE_FORM = 'must be a text, a number, true or false; YAML needs quotes around "{query}"';

const DeclaredEntry = only({
  slug: z
    .string()
    .min(2, { error: SLUG_FORM, abort: true })
    .max(40, { error: SLUG_FORM, abort: true })
    .regex(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/, SLUG_FORM)
    .describe('Its name in requests and runs. Not that of a built-in provider.'),
  name: text(100).optional().describe('Its name for people; absent = the slug.'),
  url: text(2_000).describe(
    'The address that is asked: https, or http to this machine or a host of FETCH_ALLOW_PRIVATE_HOSTS. It may have a query, without secrets.',
  ),
  method: z
    .enum(['GET', 'POST'])
    .optional()
    .describe('GET with query, POST with body; absent = as these say.'),
  headers: z
    .record(text(200), z.string().max(4_000))
    .optional()
    .describe(`Headers of each call. \${NAME} is the value of an environment variable.`),
  query: z
    .record(text(200), z.union([z.string().max(4_000), z.number(), z.boolean()], VALUE_FORM))
    .optional()
    .describe(
      `Parameters of a GET. {query} and {num_results} are those of the request, \${NAME} is the value of an environment variable.`,
    ),
  body: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'The JSON object that a POST sends. {query} and {num_results} are put into its texts.',
    ),
  results: z
    .union([z.literal(WHOLE), path], PATH_FORM)
    .describe('The path of the list of rows in the answer; "." = the answer itself is the list.'),
  fields: only({ ...named(MAPPED_FIELDS, path), url: path }).describe(
    'The path of each field in a row of that list. The rest of a row becomes enrichments.',
  ),
  price_usd: z
    .number()
    .min(0)
    .max(10_000)
    .optional()
    .describe('US dollars for one call; absent = unknown, which is not free.'),
  count: only({ max: z.int().min(1).max(1_000) })
    .optional()
    .describe('Most rows of one call; absent = as many as a request may ask for.'),
  filters: only(named(FILTERS, parameter))
    .optional()
    .describe(
      'The parameter that takes each filter: a name in query, or a path in body. Values are those of the request; a query has lists with commas.',
    ),
  data_use: only({
    training: z
      .enum(TRAINING_USES)
      .optional()
      .describe('Whether models are trained on what is sent; absent = unknown.'),
    retention: text(500).optional().describe('How long queries are kept; absent = unknown.'),
    region: text(500).optional().describe('Where they are processed; absent = unknown.'),
  })
    .optional()
    .describe('What it does with what is sent, by your own knowledge.'),
}).describe('A search provider.');
export type DeclaredEntry = z.output<typeof DeclaredEntry>;

/** Most providers of a file. */
const ENTRIES_MAX = 100;

export const ProvidersFile = only({
  $schema: z.string().optional().describe('The address of this schema, for editors.'),
  providers: z.array(DeclaredEntry).min(1).max(ENTRIES_MAX),
});

/** The published schema of the file. */
export const providersFileSchema = (): object => ({
  title: 'Search providers of PROVIDERS_FILE',
  ...z.toJSONSchema(ProvidersFile, { io: 'input' }),
});
