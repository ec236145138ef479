import type { ValidationType } from '@trawl/contract';

/** The words of a 422 entry, as in Pydantic. */
export interface WordedFault {
  readonly type: ValidationType;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

export const MISSING: WordedFault = { type: 'missing', msg: 'Field required' };
export const EXTRA: WordedFault = {
  type: 'extra_forbidden',
  msg: 'Extra inputs are not permitted',
};

/**
 * A value of the wrong type.
 * @param expected the type that zod names
 * @param isText the value is a text of the query string, which is read as the expected type
 */
export function typeFinding(expected: string, isText: boolean): WordedFault {
  switch (expected) {
    case 'string':
      return { type: 'string_type', msg: 'Input should be a valid string' };
    case 'uuid':
      return { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' };
    case 'number':
      return isText
        ? {
            type: 'int_parsing',
            msg: 'Input should be a valid integer, unable to parse string as an integer',
          }
        : { type: 'int_type', msg: 'Input should be a valid integer' };
    case 'int':
      return {
        type: 'int_from_float',
        msg: 'Input should be a valid integer, got a number with a fractional part',
      };
    case 'boolean':
      return isText
        ? {
            type: 'bool_parsing',
            msg: 'Input should be a valid boolean, unable to interpret input',
          }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' };
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' };
    case 'record':
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' };
    default:
      return {
        type: 'model_attributes_type',
        msg: 'Input should be a valid dictionary or object to extract fields from',
      };
  }
}

export function literalError(values: readonly unknown[]): WordedFault {
  const quoted = values.map((value) => `'${String(value)}'`);
  const last = quoted.pop() ?? '';
  const expected = quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : last;
  return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } };
}

export function tooSmall(origin: string, limit: number, input: unknown): WordedFault {
  if (origin === 'array') {
    const actual = lengthOf(input);
    return {
      type: 'too_short',
      msg: `List should have at least ${counted(limit, 'item')} after validation, not ${actual}`,
      ctx: { field_type: 'List', min_length: limit, actual_length: actual },
    };
  }
  if (origin === 'string') {
    return {
      type: 'string_too_short',
      msg: `String should have at least ${counted(limit, 'character')}`,
      ctx: { min_length: limit },
    };
  }
  return {
    type: 'greater_than_equal',
    msg: `Input should be greater than or equal to ${limit}`,
    ctx: { ge: limit },
  };
}

export function tooBig(origin: string, limit: number, input: unknown): WordedFault {
  if (origin === 'array') {
    const actual = lengthOf(input);
    return {
      type: 'too_long',
      msg: `List should have at most ${counted(limit, 'item')} after validation, not ${actual}`,
      ctx: { field_type: 'List', max_length: limit, actual_length: actual },
    };
  }
  if (origin === 'string') {
    return {
      type: 'string_too_long',
      msg: `String should have at most ${counted(limit, 'character')}`,
      ctx: { max_length: limit },
    };
  }
  return {
    type: 'less_than_equal',
    msg: `Input should be less than or equal to ${limit}`,
    ctx: { le: limit },
  };
}

const DATE_TIME_FAULT = 'expected a date-time with a time zone, such as 2026-01-31T12:00:00Z';

export function formatFinding(format: string, input: string): WordedFault {
  if (format === 'uuid') {
    const error = uuidFault(input);
    return {
      type: 'uuid_parsing',
      msg: `Input should be a valid UUID, ${error}`,
      ctx: { error },
    };
  }
  if (format === 'datetime') {
    return {
      type: 'datetime_from_date_parsing',
      msg: `Input should be a valid datetime or date, ${DATE_TIME_FAULT}`,
      ctx: { error: DATE_TIME_FAULT },
    };
  }
  return valueError(`expected the format ${format}`);
}

export function valueError(error: string): WordedFault {
  return { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } };
}

function lengthOf(input: unknown): number {
  return Array.isArray(input) ? input.length : 0;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

const GROUP_LENGTHS = [8, 4, 4, 4, 12] as const;
const PLAIN_LENGTH = 32;

/** The fault of a text that is not a UUID, in Pydantic's words. */
function uuidFault(text: string): string {
  const stranger = /[^0-9a-f-]/iu.exec(text);
  if (stranger) return `invalid character: found \`${stranger[0]}\` at ${stranger.index + 1}`;
  const groups = text.split('-');
  if (groups.length === 1) {
    // 32 digits without hyphens are a UUID for Pydantic; here only the canonical form is.
    return text.length === PLAIN_LENGTH
      ? `invalid group count: expected ${GROUP_LENGTHS.length}, found 1`
      : `invalid length: expected length ${PLAIN_LENGTH} for simple format, found ${text.length}`;
  }
  if (groups.length !== GROUP_LENGTHS.length) {
    return `invalid group count: expected ${GROUP_LENGTHS.length}, found ${groups.length}`;
  }
  const wrong = GROUP_LENGTHS.findIndex((length, index) => groups[index]?.length !== length);
  return `invalid group length in group ${wrong}: expected ${GROUP_LENGTHS[wrong]}, found ${groups[wrong]?.length}`;
}
