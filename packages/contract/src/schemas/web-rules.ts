import { z } from 'zod';
import { ruleHost, ruleHostFault } from '../values/rule-host.ts';
import { LIMITS } from '../vocabulary/limits.ts';
import { SECRET_RULES } from '../vocabulary/vocabulary.ts';
import { openEnum, optional } from './json.ts';

const host = z
  .custom<string>()
  .check((context) => {
    const input: unknown = context.value;
    if (typeof input !== 'string') {
      context.issues.push({ code: 'invalid_type', expected: 'string', input });
    } else if (ruleHost(input) === null) {
      context.issues.push({ code: 'custom', message: ruleHostFault(input), input });
    }
  })
  .transform((text) => ruleHost(text) ?? text)
  .meta({ type: 'string', minLength: 1, maxLength: 255 });

const hostsOf = (most: number) =>
  optional(
    z
      .array(host)
      .max(most)
      .transform((names) => [...new Set(names)]),
  );

const listsOf = (most: number) =>
  z.strictObject({
    deny: hostsOf(most).describe('Hosts that nothing is fetched or shown of.'),
    allow: hostsOf(most).describe('Where it has entries: the only hosts.'),
  });

const rulesOf = <Lists extends z.ZodType>(lists: Lists) => ({
  hosts: optional(lists).describe(
    'Hosts with their subdomains; `*.example.com` names the subdomains alone.',
  ),
  secrets: optional(z.enum(SECRET_RULES)).describe(
    '`refuse`: nothing is sent that looks like a secret of a known service.',
  ),
});

/** The rules of a project. */
export const WebRules = z
  .strictObject(
    rulesOf(
      listsOf(LIMITS.projectRuleHosts).meta({
        id: 'HostRules',
        description: 'Denied hosts, and the only allowed ones.',
      }),
    ),
  )
  .meta({ id: 'WebRules', description: 'What its requests must not touch.' });
export type WebRules = z.output<typeof WebRules>;

/** The same in answers. */
export const SetWebRules = z
  .object({
    hosts: z
      .object({
        deny: z.array(z.string()).optional().describe('Hosts that are denied.'),
        allow: z.array(z.string()).optional().describe('Where it has entries: the only hosts.'),
      })
      .meta({ id: 'SetHostRules', description: 'Hosts in lower case and ASCII, each once.' })
      .optional(),
    secrets: openEnum(SECRET_RULES).optional().describe('`off` where it is absent.'),
  })
  .meta({ id: 'SetWebRules', description: 'The web rules of a project.' });

/** The rules of a deployment, as `WEB_RULES_FILE` has them. */
export const WebRulesFile = z.strictObject(rulesOf(listsOf(LIMITS.fileRuleHosts)));
