import { setNonce } from 'get-nonce';

/**
 * Hands the nonce of this page to the libraries that make style elements: its policy asks for it.
 * Radix makes some while a dialog is open. Before anything is mounted.
 */
export function passNonceOn(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  setNonce(meta?.nonce ?? '');
}
