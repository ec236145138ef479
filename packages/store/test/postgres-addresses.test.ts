import { expect, it } from 'vitest';
import { openFault } from '../src/opening/open-fault.ts';

const URL_TEXT = 'postgres://trawl:secret@db.example.com/trawl?sslmode=require';
const faultOf = (error: Error, databaseUrl = URL_TEXT): string =>
  String(openFault({ databaseUrl, dataDir: '' }, error));
const withCode = (code: string) => Object.assign(new Error('x'), { code });

it.each([
  [withCode('SELF_SIGNED_CERT_IN_CHAIN'), /certificate that is not trusted .*sslrootcert/],
  [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), /certificate that is not trusted/],
  [
    new Error('The server does not support SSL connections'),
    /does not offer TLS \(SSL\).*sslmode=/,
  ],
  [withCode('ERR_INVALID_URL'), /DATABASE_URL is not a URL: .*%23 for #/],
])('%s names DATABASE_URL, the cause and what to do, and never the password', (error, text) => {
  const message = faultOf(error);
  expect(message).toMatch(text);
  expect(message).toContain('DATABASE_URL');
  expect(message).not.toContain('secret');
});
