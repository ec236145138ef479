import type { CommandContext } from '@trawl/client/terminal/command';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { CommandError } from '@trawl/client/terminal/failure';
import { commandHere } from '@trawl/client/terminal/manifest';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Shorter beginnings of an id are a mistake more often than a choice. */
const BEGINNING_MIN = 4;

/** What a command line may name: by its id, the beginning of its id, or its name. */
export interface Named {
  readonly id: string;
  readonly name?: string | null;
}

interface Kind {
  readonly noun: string;
  /** The command that lists them. */
  readonly list: string;
  readonly all: () => AsyncIterable<Named> | Iterable<Named>;
}

/**
 * The id of what a text names; nothing is asked for a whole id.
 * @throws CommandError where nothing has that name, or more than one
 */
export async function idOf(text: string, { noun, list, all }: Kind): Promise<string> {
  if (UUID.test(text)) return text;
  const named: string[] = [];
  const begun: string[] = [];
  for await (const { id, name } of all()) {
    if (name === text) named.push(id);
    if (text.length >= BEGINNING_MIN && id.startsWith(text.toLowerCase())) begun.push(id);
  }
  const [found, another] = named.length > 0 ? named : begun;
  if (found !== undefined && another === undefined) return found;
  const what = found === undefined ? `no ${noun} is called` : `more than one ${noun} is called`;
  const remedy = `"${commandHere()} ${list}" lists them with their ids`;
  throw new CommandError(EXIT.usage, 'usage', `${what} "${text}"`, remedy);
}

/** Sessions have no names, and older ones are not looked through. */
const SESSIONS_READ = 1_000;

/** The id of a session that is named by its id or the beginning of it. */
export const sessionOf = ({ client, signal }: CommandContext, text: string): Promise<string> =>
  idOf(text, {
    noun: 'session',
    list: 'sessions',
    async *all() {
      let read = 0;
      for await (const session of client.sessions({ limit: 200 }, { signal })) {
        if (read >= SESSIONS_READ) return;
        read += 1;
        yield session;
      }
    },
  });
