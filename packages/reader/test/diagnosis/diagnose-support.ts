import type { PageEvidence } from '../../src/diagnosis/evidence.ts';

/** A page in the way a reader hands it over, with what a case says about it. */
export function evidence(content: string, more: Partial<PageEvidence> = {}): PageEvidence {
  return {
    url: 'https://www.example.com/articles/42',
    finalUrl: null,
    content,
    contentFormat: 'markdown',
    title: null,
    httpStatus: 200,
    contentType: 'text/html; charset=utf-8',
    html: null,
    ...more,
  };
}

/** What a case is called, its text, and its title or whatever else is known. */
export type PageCase = readonly [name: string, content: string, more?: Partial<PageEvidence>];

/** Text as somebody shows it who reads the bytes in another encoding. */
export function misread(text: string, encoding: string): string {
  return new TextDecoder(encoding).decode(new TextEncoder().encode(text));
}
