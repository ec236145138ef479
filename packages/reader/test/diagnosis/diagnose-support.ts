import type { PageEvidence } from '../../src/diagnosis/evidence.ts';

/** A page as a reader passes it on, with the values of a case. */
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

/** The name of a case, its text, and its title or other values. */
export type PageCase = readonly [name: string, content: string, more?: Partial<PageEvidence>];

/** Text whose bytes were decoded with a wrong character set. */
export function misread(text: string, encoding: string): string {
  return new TextDecoder(encoding).decode(new TextEncoder().encode(text));
}
