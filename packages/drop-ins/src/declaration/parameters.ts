import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';

/** What becomes of each documented parameter of a route; a name is in one place only. */
export interface Uses<Schema extends z.ZodObject> {
  /** Parameters with an effect, and their values. */
  readonly input: Schema;
  /** What they become, in our words. */
  readonly mapped: Readonly<Record<keyof z.output<Schema> & string, string>>;
  /** Sent on as they are where the vendor itself runs, and their types. */
  readonly own?: Readonly<Record<string, z.ZodType>>;
  /** Accepted without effect, and why. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** Refused by name, and why; values that switch them off are accepted. */
  readonly refused?: Readonly<Record<string, string>>;
}

export interface ParameterUse {
  readonly name: string;
  readonly use: 'mapped' | 'vendor only' | 'no effect' | 'refused';
  /** What it becomes, or why not. */
  readonly meaning: string;
}

/** One row per parameter, for the docs. */
export const describeUses = <Schema extends z.ZodObject>({
  mapped,
  own = {},
  ignored = {},
  refused = {},
}: Uses<Schema>): readonly ParameterUse[] => [
  ...rows('mapped', mapped),
  ...rows(
    'vendor only',
    Object.fromEntries(Object.keys(own).map((name) => [name, 'sent on as it is'])),
  ),
  ...rows('no effect', ignored),
  ...rows('refused', refused),
];

const rows = (
  use: ParameterUse['use'],
  meanings: Readonly<Record<string, string>>,
): readonly ParameterUse[] =>
  Object.entries(meanings).map(([name, meaning]) => ({ name, use, meaning }));

interface Refusal {
  readonly message: string;
  readonly parameter: string;
  readonly isMissing?: boolean;
}

const SHOWN = 64;
const shown = (name: string): string => (name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name);

export interface ReadParameters<Schema extends z.ZodObject> {
  readonly input: z.output<Schema>;
  readonly own: JsonObject;
  /** What no table names: it has no effect, and the answer says so. */
  readonly unknown: readonly string[];
}

/**
 * Parameters by their uses. null counts as absent. What the tables do not name is ignored, as
 * vendors do, and reported.
 */
export function readParameters<Schema extends z.ZodObject>(
  { input: schema, own: ownTypes = {}, ignored = {}, refused = {} }: Uses<Schema>,
  sent: Readonly<Record<string, unknown>>,
): ReadParameters<Schema> | Refusal {
  const given = Object.entries(sent).filter(([, value]) => value !== null && value !== undefined);
  const own: Record<string, unknown> = {};
  const kept: Record<string, unknown> = {};
  const unknown: string[] = [];
  for (const [name, value] of given) {
    if (Object.hasOwn(schema.shape, name)) kept[name] = value;
    else if (Object.hasOwn(ownTypes, name)) own[name] = value;
    else if (Object.hasOwn(ignored, name) || (Object.hasOwn(refused, name) && isOff(value)))
      continue;
    else if (Object.hasOwn(refused, name)) {
      return { message: `${name}: ${refused[name]}`, parameter: name };
    } else unknown.push(name);
  }
  const read = schema.safeParse(kept);
  const [first = faultIn(own, ownTypes)] = read.error?.issues ?? [];
  if (read.success && first === undefined) {
    return { input: read.data, own, unknown: [...unknown, ...unknownIn(schema, kept, '')] };
  }
  const { path, message } = first ? clearest(first) : { path: [], message: 'not valid' };
  const parameter = shown(path.join('.'));
  const isAbsent =
    path.length === 1 && (kept[String(path[0])] ?? own[String(path[0])]) === undefined;
  const text = isAbsent ? 'a value is required' : message;
  const said = parameter === '' ? text : `${parameter}: ${text}`;
  return { message: said, parameter, isMissing: isAbsent };
}

/** The first fault of what is sent on. */
function faultIn(
  own: JsonObject,
  types: NonNullable<Uses<z.ZodObject>['own']>,
): z.core.$ZodIssue | undefined {
  for (const [name, value] of Object.entries(own)) {
    const [fault] = types[name]?.safeParse(value).error?.issues ?? [];
    if (fault) return { ...fault, path: [name, ...fault.path] };
  }
  return undefined;
}

/** The members below a value that its schema does not name, such as `contents.context`. */
function unknownIn(schema: unknown, value: unknown, place: string): readonly string[] {
  if (schema instanceof z.ZodOptional) return unknownIn(schema.unwrap(), value, place);
  if (schema instanceof z.ZodPipe) return unknownIn(schema.in, value, place);
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) => unknownIn(option, value, place));
  }
  const isPlain = schema instanceof z.ZodObject && schema.def.catchall === undefined;
  if (!isPlain || !isJsonObject(value)) return [];
  const { shape } = schema;
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = place === '' ? name : `${place}.${name}`;
    return Object.hasOwn(shape, name) ? unknownIn(shape[name], inner, path) : [path];
  });
}

interface Clear {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a value that fits none of several forms, the fault of the form that it came closest to. */
function clearest(issue: z.core.$ZodIssue): Clear {
  const { path, message } = issue;
  if (issue.code !== 'invalid_union') return { path, message };
  const inner = issue.errors.flatMap(([fault]) => fault ?? []);
  const near = inner.find((fault) => fault.path.length > 0 || fault.code === 'unrecognized_keys');
  const best = near ?? inner.find(({ code }) => code !== 'invalid_type') ?? inner[0];
  if (!best) return { path, message };
  const clear = clearest(best);
  return { path: [...path, ...clear.path], message: clear.message };
}

/** Python writes False and None. */
const OFF_WORDS = new Set(['', 'false', '0', 'none', 'null', 'no', 'off']);

/** Values that ask for nothing, in JSON and in query strings. */
const isOff = (value: unknown): boolean =>
  value === false ||
  value === 0 ||
  (typeof value === 'string' && OFF_WORDS.has(value.toLowerCase())) ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
