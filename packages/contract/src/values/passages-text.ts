/** Passages of a page as one text, with a mark for what is between them. */
export const passagesText = (passages: readonly { readonly text: string }[]): string =>
  passages.map(({ text }) => text).join('\n\n[…]\n\n');
