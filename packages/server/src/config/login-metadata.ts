import { LOGIN_SCOPES } from '@trawl/contract';
import type { LoginPlace } from './login-place.ts';

/** The routes of logins. `authorize` is a page of the console, whose cookies it needs. */
export const LOGIN_PATHS = {
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  authorize: '/console/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
} as const;

/** Of RFC 9728: what `/mcp` is, and where one logs in for it. */
export const resourceMetadata = ({ issuer, resource }: LoginPlace) => ({
  resource,
  authorization_servers: [issuer],
  scopes_supported: LOGIN_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'trawl',
  resource_documentation: `${issuer}/docs/mcp-login`,
});

/** Of RFC 8414: how one logs in. Clients are public, and name themselves by a document. */
export const serverMetadata = ({ issuer }: LoginPlace) => ({
  issuer,
  authorization_endpoint: `${issuer}${LOGIN_PATHS.authorize}`,
  token_endpoint: `${issuer}${LOGIN_PATHS.token}`,
  revocation_endpoint: `${issuer}${LOGIN_PATHS.revoke}`,
  scopes_supported: LOGIN_SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

/** The challenge of a 401 or 403 of `/mcp`: RFC 9728 section 5.1, RFC 6750 section 3. */
export function challenge(
  { issuer }: LoginPlace,
  { error, says }: { readonly error?: 'invalid_token' | 'insufficient_scope'; says?: string } = {},
): string {
  const parts = [
    `resource_metadata="${issuer}${LOGIN_PATHS.resourceMetadata}/mcp"`,
    `scope="${LOGIN_SCOPES.join(' ')}"`,
    ...(error ? [`error="${error}"`] : []),
    ...(says ? [`error_description="${says.replaceAll(/["\\]/g, "'")}"`] : []),
  ];
  return `Bearer ${parts.join(', ')}`;
}
