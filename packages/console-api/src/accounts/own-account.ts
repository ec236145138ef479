import { isoTime } from '@trawl/base';
import { RequestError, readStore } from '@trawl/router';
import type { SessionRecord } from '@trawl/store';
import type { Person } from '../serving/person.ts';
import type { AccountParts } from './account-parts.ts';
import { createAttempts, tried } from './attempts.ts';
import { checkedName, checkedPassword } from './input-checks.ts';
import type { Cookies } from './library.ts';
import type { RequestFacts } from './request-facts.ts';

/** What people change about themselves. */
export interface OwnAccount {
  rename(person: Person, name: string, facts: RequestFacts): Promise<void>;
  /**
   * Other sessions end. @throws RequestError 403 when the current password is wrong, 429 after too
   * many attempts
   */
  changePassword(
    person: Person,
    change: { readonly current: string; readonly next: string; readonly headers: Headers },
    facts: RequestFacts,
  ): Promise<Cookies>;
  /** Sessions in force, newest first. */
  sessions(person: Person): Promise<readonly SessionRecord[]>;
  /** @throws RequestError 404 for a session of another person */
  endSession(person: Person, sessionId: string, facts: RequestFacts): Promise<void>;
  /** Ends all but this one. */
  endOtherSessions(person: Person, facts: RequestFacts): Promise<void>;
}

const PASSWORD_ATTEMPTS = { max: 10, windowMs: 300_000 };

export function createOwnAccount(parts: AccountParts): OwnAccount {
  const { store, library, trail, clock } = parts;
  const attempts = createAttempts(PASSWORD_ATTEMPTS, clock);
  const now = () => isoTime(clock.now());
  return {
    rename: async (by, given, facts) => {
      const name = checkedName(given);
      const detail = { from: by.name, to: name };
      await trail.change(facts, async ({ accounts }, record) => {
        await accounts.people.rename(by.id, name, now());
        await record({ action: 'person.renamed', by, target: selfOf(by), detail });
      });
    },
    changePassword: async (by, { current, next, headers }, facts) => {
      const action = 'person.password_changed';
      const target = selfOf(by);
      checkedPassword(next);
      const change = async (): Promise<Cookies> => {
        const cookies = await library.changePassword({ current, next }, headers, facts);
        if (cookies) return cookies;
        const refused = 'the current password is wrong';
        await trail.record({ action, by, target, refused }, facts);
        throw new RequestError(403, 'The current password is wrong');
      };
      const cookies = await tried([() => attempts.take(by.id)], change);
      await trail.record({ action, by, target }, facts);
      return cookies;
    },
    sessions: (person) => readStore(() => store.sessions.list(person.id, now())),
    endSession: async (by, sessionId, facts) => {
      await trail.change(facts, async ({ accounts }, record) => {
        const ended = await accounts.sessions.end(by.id, sessionId);
        if (!ended) throw new RequestError(404, 'Session not found');
        await record({ action: 'session.revoked', by, target: selfOf(by) });
      });
    },
    endOtherSessions: async (by, facts) => {
      await trail.change(facts, async ({ accounts }, record) => {
        const sessions = await accounts.sessions.endOthers(by.id, by.sessionId);
        const event = { action: 'session.revoked', by, target: selfOf(by) } as const;
        if (sessions > 0) await record({ ...event, detail: { sessions } });
      });
    },
  };
}

const selfOf = ({ id, name }: Person) => ({ kind: 'person', id, name });
