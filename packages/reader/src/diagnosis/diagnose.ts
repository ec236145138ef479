import type { RowErrorCode } from '@trawl/contract';
import type { PageVerdict } from '@trawl/providers';
import { codeOfTargetStatus } from '@trawl/providers/page-read';
import { findDamage } from './diagnose-damage.ts';
import { htmlHead, isMeteredTeaser, isScriptShell } from './diagnose-markup.ts';
import { HEAD_LENGTH, hasWords, readText, surelyHasEnoughWords } from './diagnose-text.ts';
import { findWall } from './diagnose-wall.ts';
import type { PageEvidence } from './evidence.ts';
import { builtInFamilies, type PageFamily } from './page-families.ts';

/**
 * Why a page is not what was asked for; null = it is. In doubt it is a page: a wall that gets
 * through is a nuisance, but a refused page is lost.
 * @param families the families to compare it with; absent = those with the built-in rules
 */
export function diagnosePage(
  evidence: PageEvidence,
  families?: readonly PageFamily[],
): PageVerdict | null {
  const httpStatus = evidence.httpStatus;
  const verdict = (code: RowErrorCode, reason: string): PageVerdict => ({
    code,
    reason,
    httpStatus,
  });
  const failed = httpStatus === null ? undefined : statusCode(httpStatus);
  if (failed) return verdict(failed, `http_${httpStatus}`);
  const damage = findDamage(evidence.given ?? evidence.content);
  if (damage) return verdict(damage.code, damage.reason);
  const isReadable = hasWords(evidence.content);
  if (isReadable && evidence.content.length > HEAD_LENGTH) return null;
  // no rule is for a text of so many words
  if (isReadable && surelyHasEnoughWords(evidence.content)) return null;
  const html = once(() => htmlHead(evidence.html));
  const text = readText(evidence);
  const family = mayBeWall(evidence)
    ? findWall(text, html, families ?? builtInFamilies())
    : undefined;
  if (family) return verdict(family.code, family.reason);
  if (isMeteredTeaser(html, text)) return verdict('paywall', 'subscription_wall');
  if (isScriptShell(html, text)) return verdict('empty_page', 'script_shell');
  return isReadable ? null : verdict('empty_page', 'empty_page');
}

/** Most pages are known by their text, and the markup is long. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The code for the target's own status; undefined = a success. */
function statusCode(status: number): RowErrorCode | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status < 400 ? 'target_error' : codeOfTargetStatus(status);
}

/** Walls are web pages; data, feeds and documents are not. */
function mayBeWall({ content, contentType }: PageEvidence): boolean {
  if (contentType && !/html|markdown|text\/plain/i.test(contentType)) return false;
  return !isJson(content);
}

function isJson(content: string): boolean {
  if (content.length > HEAD_LENGTH || !/^\s*[[{]/.test(content)) return false;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}
