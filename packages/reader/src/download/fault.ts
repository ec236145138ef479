import { localShortage } from '@trawl/base';
import type { RowErrorCode } from '@trawl/contract';

/**
 * Why a download failed, as the code and reason of a verdict; `internal_error` = it is our own
 * fault, and no verdict.
 */
export interface DownloadFault {
  readonly code: RowErrorCode;
  readonly reason: string;
  /** What helps against a failure of our own. */
  readonly remedy?: string;
}

/** Our own codes, in addition to those of Node. */
const OWN_FAULTS = {
  PRIVATE_ADDRESS: { code: 'forbidden_address', reason: 'private_address' },
  UNKNOWN_HOST: { code: 'dns_error', reason: 'unknown_host' },
  RESOLVER_FAILED: { code: 'dns_error', reason: 'resolver_failed' },
  CONNECT_TIMEOUT: { code: 'timeout', reason: 'connect_timeout' },
  HEADERS_TIMEOUT: { code: 'timeout', reason: 'headers_timeout' },
  // the operator's proxy, not the page
  PROXY_UNREACHABLE: { code: 'network_error', reason: 'proxy_unreachable' },
  PROXY_REFUSED: { code: 'network_error', reason: 'proxy_refused' },
} as const satisfies Record<string, DownloadFault>;

const KNOWN_FAULTS: Readonly<Record<string, DownloadFault>> = {
  ...OWN_FAULTS,
  ETIMEDOUT: { code: 'timeout', reason: 'connect_timeout' },
  ECONNREFUSED: { code: 'target_error', reason: 'connection_refused' },
  ECONNRESET: { code: 'target_error', reason: 'connection_closed' },
  EPIPE: { code: 'target_error', reason: 'connection_closed' },
  EHOSTUNREACH: { code: 'target_error', reason: 'host_unreachable' },
  ENETUNREACH: { code: 'target_error', reason: 'host_unreachable' },
  EADDRNOTAVAIL: { code: 'target_error', reason: 'host_unreachable' },
  EPROTO: { code: 'target_error', reason: 'tls_error' },
};

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

/** An error with one of our own codes, to be thrown through code of libraries. */
export function faultOf(code: keyof typeof OWN_FAULTS): Error {
  return Object.assign(new Error(OWN_FAULTS[code].reason), { code });
}

/** Reads an error by its code, never by its text. */
export function readFault(error: unknown): DownloadFault {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(KNOWN_FAULTS, code) ? KNOWN_FAULTS[code] : undefined;
  if (known) return known;
  const shortage = localShortage(code);
  if (shortage) {
    const reason = `could not read the page, because ${shortage.reason} (${code})`;
    return { code: 'internal_error', reason, remedy: shortage.remedy };
  }
  if (TLS_CODE.test(code)) return { code: 'target_error', reason: 'tls_error' };
  if (code.startsWith('HPE_')) return { code: 'target_error', reason: 'invalid_response' };
  return { code: 'target_error', reason: 'connection_failed' };
}
