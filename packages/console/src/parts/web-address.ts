/**
 * An address of http or https; undefined for `javascript:`, `data:` and whatever else a foreign
 * text may name.
 */
export function webAddress(written: string | null | undefined): string | undefined {
  if (!written) return undefined;
  try {
    const url = new URL(written);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** The host of an address, for a text next to it. */
export function hostOf(written: string): string {
  try {
    return new URL(written).hostname.replace(/^www\./, '');
  } catch {
    return written;
  }
}
