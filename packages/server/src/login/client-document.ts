import { parsedUrl } from '@trawl/contract';
import { z } from 'zod';
import { isRedirectUri } from './redirect-uris.ts';

/** A client as a person is asked about it. */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** Who says so: the host of its id; null = an operator entered it. */
  readonly host: string | null;
  readonly redirectUris: readonly string[];
}

const CLIENT_NAME_MAX = 100;
export const REDIRECT_URIS_MAX = 20;

/**
 * The client id metadata document of a client (draft-ietf-oauth-client-id-metadata-document), as
 * far as it is used here.
 */
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).max(REDIRECT_URIS_MAX),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  grant_types: z.array(z.string()).optional(),
  client_secret: z.never('a public document must not have one').optional(),
});

/** Whether a text can be the id of a client at all. */
export const isClientId = (text: string): boolean => /^[\x21-\x7e]{1,500}$/.test(text);

/** An id that is the address of such a document; null = it is another id. */
export function documentUrl(clientId: string): URL | null {
  if (!clientId.startsWith('https://')) return null;
  const url = parsedUrl(clientId);
  const isPlain = url?.href === clientId && url.username === '' && url.password === '';
  // a fragment that is empty is not in `hash`
  return isPlain && url.pathname !== '/' && !clientId.includes('#') ? url : null;
}

/** The client of a document. A text = what is wrong with it. */
export function clientOf(url: URL, text: string): Client | string {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const read = ClientDocument.safeParse(document);
  if (!read.success) {
    const [issue] = read.error.issues;
    const place = issue?.path.join('.') ?? '';
    return `${place || 'the document'}: ${issue?.message ?? 'it is not valid'}`;
  }
  const { client_id: id, client_name: name = '', redirect_uris: uris, ...other } = read.data;
  if (id !== url.href) return 'its client_id is not its own address';
  const methods = other.token_endpoint_auth_methods_supported ?? [];
  if (![other.token_endpoint_auth_method ?? 'none', ...methods].includes('none')) {
    return 'it wants to prove itself with a key (token_endpoint_auth_method), which is not done here';
  }
  if (!(other.grant_types ?? ['authorization_code']).includes('authorization_code')) {
    return 'its grant_types lack authorization_code';
  }
  const redirectUris = uris.map(withoutAnyPort).filter(isOwnRedirect);
  if (redirectUris.length === 0) {
    return 'its redirect_uris have no address that is https, http on this machine, or of a program (a scheme with a dot)';
  }
  return { id, name: shownName(name) || url.host, host: url.host, redirectUris };
}

/**
 * The scheme of a program is taken from a document only where the name of a domain can be in it
 * (RFC 8252, section 7.1): others lead to programs that have nothing to do with the client.
 */
function isOwnRedirect(uri: string): boolean {
  if (!isRedirectUri(uri)) return false;
  const { protocol } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' || protocol.includes('.');
}

/** Some documents write a star for the port of this machine, which is any one without it too. */
const withoutAnyPort = (uri: string): string =>
  uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\*(?=\/|$)/, '$1');

/** A name on one line, without signs that hide or turn others. */
export function shownName(name: string): string {
  const line = name.slice(0, 1_000).replace(/[\p{C}\p{Z}]+/gu, ' ');
  return [...line.normalize('NFC').trim()].slice(0, CLIENT_NAME_MAX).join('').trim();
}
