import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuthorizeRequest } from '@trawl/server';
import type { Person } from '../serving/person.ts';

/** What a person is asked, exactly as the page showed it. */
export interface ConsentRequest extends AuthorizeRequest {
  readonly clientName: string;
  /** The host that vouches for the name; null = an operator entered the client. */
  readonly clientHost: string | null;
}

interface Sealed {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly sessionId: string;
  readonly request: ConsentRequest;
}

/** A request as a form has it. */
export interface OpenedConsent {
  /** Names this page, however often its form is sent. */
  readonly id: string;
  readonly request: ConsentRequest;
}

const VALID_MS = 30 * 60_000;

/**
 * What a consent page showed, as a field of its form: only the session that saw the page can send
 * it, and nothing in it can be changed. @param secret of the console
 */
export function createConsentForms(secret: string) {
  const key = createHmac('sha256', secret).update('consent to a login').digest();
  const signed = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    seal: (
      request: ConsentRequest,
      { sessionId }: Pick<Person, 'sessionId'>,
      { id, now }: { readonly id: string; readonly now: number },
    ): string => {
      const sealed: Sealed = { id, expiresAt: now + VALID_MS, sessionId, request };
      const text = Buffer.from(JSON.stringify(sealed)).toString('base64url');
      return `${text}.${signed(text).toString('base64url')}`;
    },
    /** undefined = it was changed, is too old, or another session saw the page. */
    open: (
      field: string,
      { sessionId }: Pick<Person, 'sessionId'>,
      now: number,
    ): OpenedConsent | undefined => {
      const [text = '', signature = ''] = field.split('.', 2);
      const given = Buffer.from(signature, 'base64url');
      const expected = signed(text);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const sealed = JSON.parse(Buffer.from(text, 'base64url').toString()) as Sealed;
      if (sealed.sessionId !== sessionId || sealed.expiresAt <= now) return undefined;
      return { id: sealed.id, request: sealed.request };
    },
    /** The bytes of the code of a page and project: the same where its form is sent twice. */
    codeBytes: (id: string, projectId: string): Uint8Array => signed(`code of ${id} ${projectId}`),
  };
}

export type ConsentForms = ReturnType<typeof createConsentForms>;
