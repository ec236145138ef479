import { hash } from 'node:crypto';
import { writeJson } from '@trawl/contract';
import type { AskedFilters, FieldPlan } from '@trawl/providers';
import { sortedJson } from '../../interaction/request-repeat.ts';
import type { SearchCommand } from '../command.ts';
import type { RunPlan } from '../plan.ts';

/** What all runs of a request have in common. */
export interface FingerprintedRequest {
  readonly projectId: string;
  readonly command: SearchCommand;
  readonly fields: FieldPlan;
  readonly filters: AskedFilters | undefined;
}

export interface FingerprintKey {
  /** Of this deployment: who reads the database cannot tell which query a fingerprint is of. */
  readonly secret: string;
  /** Of the program: another one may send or read something else. */
  readonly version: string;
}

/**
 * Enough that no two runs share one by accident, and less than a hash has, so that who knows one
 * cannot compute those of longer texts.
 */
const CHARACTERS = 32;

/**
 * Makes the fingerprints of the runs of one request: a keyed hash of all that decides what a
 * provider is sent and what its answer looks like. Equal for equal runs of one project, and only
 * for these.
 */
export function createFingerprints(
  { projectId, command, fields, filters }: FingerprintedRequest,
  { secret, version }: FingerprintKey,
): (plan: RunPlan) => string {
  const { options, postprocessorNames } = command;
  const shape = writeJson([
    secret,
    version,
    projectId,
    fields.tier ?? [...fields.all].sort(),
    options.num_results ?? null,
    [options.include_full_content, options.include_raw, options.economy, options.merge].map(
      Boolean,
    ),
    postprocessorNames.toSorted(),
    filters ? sortedJson([filters.filters, filters.strict]) : null,
  ]);
  return ({ provider, call, isOverridden }) => {
    const { slug } = provider.declaration;
    const { target } = provider;
    const { method, subdomain, path, query, headers, body } = call;
    const own = isOverridden ? options.provider_overrides?.[slug] : null;
    const request = [method, target.baseUrl, subdomain, path, query, headers, body, own];
    const sent = (isOverridden ? sortedJson : writeJson)([
      slug,
      target.credentials.length > 0,
      ...request,
    ]);
    // in one call: the object of a hash costs several times more than its work
    return hash('sha256', `${shape}\n${sent}`, 'base64url').slice(0, CHARACTERS);
  };
}
