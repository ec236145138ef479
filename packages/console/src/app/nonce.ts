import { setNonce } from 'get-nonce';

/**
 * The nonce of this page, which its policy asks of style elements. Radix makes some while a dialog is open. This module is the
 * first import of the program, since they ask for it when they are mounted.
 */
const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
setNonce(meta?.nonce ?? '');
