import type { RowErrorCode } from '@trawl/contract';
import type { PageVerdict } from '@trawl/providers';
import { codeOfTargetStatus } from '@trawl/providers/page-read';
import { findDamage } from './diagnose-damage.ts';
import { htmlHead, isMeteredTeaser, isScriptShell } from './diagnose-markup.ts';
import { HEAD_LENGTH, hasWords, readText } from './diagnose-text.ts';
import { findWall } from './diagnose-wall.ts';
import type { PageEvidence } from './evidence.ts';

/**
 * What stands in the way of taking a page for what was asked for; null = a page. Where nothing is sure it is a page:
 * a wall that passes is a nuisance, a page that is refused is lost.
 */
export function diagnosePage(evidence: PageEvidence): PageVerdict | null {
  const httpStatus = evidence.httpStatus;
  const verdict = (code: RowErrorCode, reason: string): PageVerdict => ({
    code,
    reason,
    httpStatus,
  });
  const failed = httpStatus === null ? undefined : statusCode(httpStatus);
  if (failed) return verdict(failed, `http_${httpStatus}`);
  const damage = findDamage(evidence.content);
  if (damage) return verdict(damage.code, damage.reason);
  const isReadable = hasWords(evidence.content);
  if (isReadable && evidence.content.length > HEAD_LENGTH) return null;
  const html = htmlHead(evidence.html);
  const text = readText(evidence);
  const rule = mayBeWall(evidence) ? findWall(text, html) : undefined;
  if (rule) return verdict(rule.code, rule.reason);
  if (isMeteredTeaser(html, text)) return verdict('paywall', 'subscription_wall');
  if (isScriptShell(html, text)) return verdict('empty_page', 'script_shell');
  return isReadable ? null : verdict('empty_page', 'empty_page');
}

/** What the target's own status says; undefined = a success. */
function statusCode(status: number): RowErrorCode | undefined {
  if (status >= 200 && status < 300) return undefined;
  return status < 400 ? 'target_error' : codeOfTargetStatus(status);
}

/** Walls are pages. Data, feeds and documents are none. */
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
