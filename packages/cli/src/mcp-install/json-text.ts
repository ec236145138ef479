import { isDeepStrictEqual } from 'node:util';
import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
  stripComments,
} from 'jsonc-parser';
import { EditError, eolOf, isTable, type Table, valueAt } from './settings-text.ts';

const OPTIONS = { allowTrailingComma: true };

const isBlank = (text: string): boolean => stripComments(text).trim() === '';

/** What a JSON file with comments has; nothing where it has comments alone. @throws EditError */
export function jsonContent(text: string): Table {
  if (isBlank(text)) return {};
  const errors: ParseError[] = [];
  const content: unknown = parse(text, errors, OPTIONS);
  const [first] = errors;
  if (first) {
    const before = text.slice(0, first.offset).split('\n');
    const column = (before.at(-1) ?? '').length + 1;
    const what = printParseErrorCode(first.error);
    throw new EditError(`it is not JSON: ${what} in line ${before.length}, column ${column}`);
  }
  if (!isTable(content)) throw new EditError('it is not a JSON object');
  return content;
}

/**
 * The text with this value at the place. Each member that differs is edited on its own, and all
 * comments around it stay: the editing of the library removes those next to a removed member.
 */
export function jsonText(text: string, place: readonly string[], value: Table): string {
  if (isBlank(text)) {
    const eol = eolOf(text);
    const content = place.reduceRight((inner, name) => ({ [name]: inner }), value);
    const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
    return `${start}${JSON.stringify(content, null, 2).replaceAll('\n', eol)}${eol}`;
  }
  return changesOf(valueAt(jsonContent(text), place), value, place).reduce(
    (edited, [path, to]) =>
      to === undefined ? withoutMember(edited, path) : withMember(edited, path, to),
    text,
  );
}

type Change = readonly [path: readonly string[], to: unknown];

function changesOf(before: unknown, wanted: unknown, path: readonly string[]): readonly Change[] {
  if (isDeepStrictEqual(before, wanted)) return [];
  if (!isTable(before) || !isTable(wanted)) return [[path, wanted]];
  const names = new Set([...Object.keys(before), ...Object.keys(wanted)]);
  return [...names].flatMap((name) => changesOf(before[name], wanted[name], [...path, name]));
}

/** Sets a member, behind the others and their comments if it is new. */
function withMember(text: string, path: readonly string[], to: unknown): string {
  const root = parseTree(text, [], OPTIONS);
  const nodeAt = (depth: number) => root && findNodeAtLocation(root, path.slice(0, depth));
  let depth = path.length;
  while (depth > 0 && !nodeAt(depth)) depth -= 1;
  const found = nodeAt(depth);
  if (!found) return text;
  if (depth === path.length) {
    const object = found.parent?.parent ?? found;
    return text.slice(0, found.offset) + valueText(text, object, to) + text.slice(endOf(found));
  }
  const inner = path.slice(depth + 1).reduceRight((value, name) => ({ [name]: value }), to);
  const member = `${JSON.stringify(path[depth])}: ${valueText(text, found, inner)}`;
  const close = endOf(found) - 1;
  const filled = text.slice(0, close).trimEnd().length;
  const last = found.children?.at(-1);
  const end = last ? endOf(last) : filled;
  const comma = last && commaAfter(text, end) === undefined ? ',' : '';
  const start = text.slice(0, end) + comma + text.slice(end, filled);
  if (isOnOneLine(text, found)) return `${start} ${member}${text.slice(filled)}`;
  const eol = eolOf(text);
  const space = text.slice(filled, close);
  const before = eol + indentAt(text, close);
  const behind = space.includes('\n') ? space : before;
  return `${start}${before}${unitOf(text)}${member}${behind}${text.slice(close)}`;
}

function withoutMember(text: string, path: readonly string[]): string {
  const root = parseTree(text, [], OPTIONS);
  const member = root && findNodeAtLocation(root, [...path])?.parent;
  if (!member) return text;
  const siblings = member.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(member) - 1];
  const own = commaAfter(text, endOf(member));
  // the last one has none: then the one before it has one too many
  const comma = own ?? (previous && commaAfter(text, endOf(previous)));
  let start = text.slice(0, member.offset);
  let rest = text.slice(endOf(member));
  if (comma !== undefined && comma < member.offset) {
    start = start.slice(0, comma) + start.slice(comma + 1);
  } else if (comma !== undefined) {
    const at = comma - endOf(member);
    rest = rest.slice(0, at) + rest.slice(at + 1);
  }
  // a line that is empty now, or the space on one side
  const line = start.lastIndexOf('\n') + 1;
  const behind = rest.replace(/^[ \t]+/, '');
  if (!/^\r?\n/.test(behind)) return start + behind;
  if (start.slice(line).trim() !== '') return start.trimEnd() + behind;
  return start.slice(0, line) + behind.slice(behind.indexOf('\n') + 1);
}

const endOf = ({ offset, length }: Node): number => offset + length;

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = scanner.getTokenOffset();
  return text[next] === ',' ? next : undefined;
}

/** A value as a member of this object. */
function valueText(text: string, object: Node, value: unknown): string {
  if (isOnOneLine(text, object)) return JSON.stringify(value);
  const indent = indentAt(text, endOf(object) - 1) + unitOf(text);
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eolOf(text) + indent);
}

const isOnOneLine = (text: string, object: Node): boolean =>
  (object.children ?? []).length > 0 && !text.slice(object.offset, endOf(object)).includes('\n');

/** What the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return line.slice(0, line.length - line.trimStart().length);
}

const unitOf = (text: string): string => /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
