/**
 * A text as URL, resolved against `base` where one is given; null when it is not a URL. The static
 * test that URL offers must not be used: in Node 20 and 22 it answers false for good addresses with
 * é or ü once the engine has optimized its caller.
 */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
