/**
 * The e-mail address that a content network hides from programs and a script of it shows to
 * readers: the first byte is the key of the others. null = not such a text.
 */
export function emailOf(hidden: string | null): string | null {
  if (!hidden || hidden.length > 1_000 || !/^(?:[0-9a-f]{2})+$/i.test(hidden)) return null;
  const [key = 0, ...bytes] = Buffer.from(hidden, 'hex');
  const text = Buffer.from(bytes.map((byte) => byte ^ key)).toString('utf8');
  return text.includes('@') ? text : null;
}

/** The same for the address of a link to the network's page about it. */
export function emailOfAddress(href: string): string | null {
  const [, hidden] = href.includes(PAGE) ? href.split(PAGE) : [];
  return emailOf(hidden ?? null);
}

const PAGE = '/cdn-cgi/l/email-protection#';
