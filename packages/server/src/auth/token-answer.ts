/** The parameters of a form, each of which was sent once. */
export type Form = ReadonlyMap<string, string>;

/** With which request a client uses its tokens, for the audit log. */
export interface TokenSender {
  readonly requestId: string;
  /** The client's address; null = not known. */
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** An answer of the token route: RFC 6749, sections 5.1 and 5.2. */
export type TokenAnswer =
  | {
      readonly access_token: string;
      readonly token_type: 'Bearer';
      readonly expires_in: number;
      readonly refresh_token: string;
      readonly scope: string;
    }
  | TokenRefusal;

export interface TokenRefusal {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'invalid_target'
    | 'unsupported_grant_type';
  readonly error_description: string;
}

export const refusal = (error: TokenRefusal['error'], says: string): TokenRefusal => ({
  error,
  error_description: says,
});

/** What clients do with codes and tokens. */
export interface TokenRequests {
  /** Exchanges a code or a refresh token. @throws RequestError 503 */
  token(form: Form, sender: TokenSender): Promise<TokenAnswer>;
  /**
   * Ends the login of a token (RFC 7009). An unknown token is no fault, so that no one learns which
   * there are. @throws RequestError 503
   */
  revoke(form: Form, sender: TokenSender): Promise<TokenRefusal | undefined>;
}
