/** Plain text, HTML and anchors of tokens from marked. */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]);

/** The visible text of tokens, without formatting. */
export function plainText(tokens) {
  return tokens.map(textOf).join('');
}

function textOf(token) {
  if (token.type === 'html') return '';
  if (token.type === 'br') return ' ';
  if (token.type === 'table') {
    const cells = [token.header, ...token.rows].flat().map((cell) => plainText(cell.tokens));
    return cells.filter((text) => text !== '').join(' · ');
  }
  if (token.type === 'list') return token.items.map((item) => `${textOf(item)} `).join('');
  if (token.tokens) return plainText(token.tokens);
  return token.text ?? '';
}

/**
 * Anchors as GitHub makes them, so that a link with one works there too. One maker per page:
 * repeated headings are counted.
 */
export function createSlugger() {
  const seen = new Map();
  return (text) => {
    const plain = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    let slug = plain;
    while (seen.has(slug)) {
      seen.set(plain, seen.get(plain) + 1);
      slug = `${plain}-${seen.get(plain)}`;
    }
    seen.set(slug, 0);
    return slug;
  };
}
