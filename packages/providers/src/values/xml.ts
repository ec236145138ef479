import { Parser } from 'htmlparser2';

/**
 * An element of an XML document. Names are without prefix, since each document may choose its own.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its own text and that of what is in it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

/** More than any answer of a vendor has: a larger document is not read. */
const ELEMENTS_MAX = 50_000;
const DEPTH_MAX = 32;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * The root of an XML document; null for a text that is not one, is cut short, or is larger than
 * answers are.
 * Entities of its own are not read.
 */
export function readXml(text: string): XmlElement | null {
  if (!/^\uFEFF?\s{0,99}<(?:\?xml|[a-z])/i.test(text.slice(0, 200))) return null;
  interface Open {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
    text: string;
    readonly children: XmlElement[];
  }
  const root: Open = { name: '', attributes: {}, text: '', children: [] };
  const open: Open[] = [root];
  let elements = 0;
  let isTooLarge = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements > ELEMENTS_MAX || open.length > DEPTH_MAX) isTooLarge = true;
        if (!isTooLarge) open.push({ name: localName(name), attributes, text: '', children: [] });
      },
      ontext(part) {
        if (isTooLarge) return;
        for (const element of open) element.text += part;
      },
      onclosetag() {
        const element = isTooLarge || open.length === 1 ? undefined : open.pop();
        if (element) open.at(-1)?.children.push(element);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(text);
  // the end would close what was never closed, so that a part of a document looks whole
  const isCut = open.length > 1;
  parser.end();
  return isTooLarge || isCut ? null : (root.children[0] ?? null);
}

/** The children of this name. */
export const childrenOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name);

/** The text of the first child of this name; null without one. */
export const childText = (element: XmlElement, name: string): string | null =>
  childrenOf(element, name)[0]?.text ?? null;
