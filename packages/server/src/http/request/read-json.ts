import { jsonFault, storable } from '@trawl/base';
import { LIMITS, parseJson, type ValidationIssue } from '@trawl/contract';
import { MISSING } from '../answer/fault-kinds.ts';
import { entry } from '../answer/validation-issues.ts';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly issue: ValidationIssue };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The JSON value of a request body, or the one 422 entry with the reason why it is missing. Texts
 * are made storable.
 */
export function readJson(bytes: Uint8Array): JsonReading {
  if (bytes.length === 0) return failed(entry(['body'], MISSING, null));
  const text = decoded(bytes);
  if (text === undefined) return failed(jsonInvalid(['body'], 'Invalid UTF-8'));
  if (text.startsWith(BYTE_ORDER_MARK)) {
    return failed(jsonInvalid(['body'], 'A byte order mark is not allowed'));
  }
  if (!isFlat(text)) {
    return failed(jsonInvalid(['body'], `Nesting deeper than ${LIMITS.nestingLevels} levels`));
  }
  try {
    const value = parseJson(text);
    if (value === null) return failed(entry(['body'], MISSING, null));
    // In JSON both characters can only be written as escapes.
    return { ok: true, value: text.includes('\\u') ? storable(value) : value };
  } catch {
    const { error, offset } = jsonFault(text);
    return failed(jsonInvalid(['body', offset], error));
  }
}

function failed(issue: ValidationIssue): JsonReading {
  return { ok: false, issue };
}

/** FastAPI's entry for a body that is not JSON. */
function jsonInvalid(loc: (string | number)[], error: string): ValidationIssue {
  return entry(loc, { type: 'json_invalid', msg: 'JSON decode error', ctx: { error } }, {});
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether nesting stays within the limit. Checked before parsing, so nothing recurses into a
 * hostile body.
 */
function isFlat(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index);
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > LIMITS.nestingLevels) return false;
    } else if (code === 0x5d || code === 0x7d) {
      depth -= 1;
    }
  }
  return true;
}

/** The index of the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) index += 1;
    else if (code === QUOTE) break;
  }
  return index;
}
