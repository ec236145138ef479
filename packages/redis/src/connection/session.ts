import { createClient, RESP_TYPES } from '@redis/client';
import { LATE, within } from '@trawl/base';
import { clientOptions } from './address.ts';

/** One part of a command. */
export type Argument = string | Buffer;

/** Sends one command and returns its reply as it is. `asBytes`: texts of the reply stay bytes. */
export type Send = (command: readonly Argument[], asBytes?: 'asBytes') => Promise<unknown>;

/** Two connections, since one that has subscribed to channels takes no other commands. */
export interface Session {
  readonly send: Send;
  /** Resolves when both connections answer. */
  ping(): Promise<unknown>;
  /** Drops both. What was not answered is rejected at once, and never sent again. */
  close(): void;
}

export interface SessionOptions {
  /** A `redis://` or `rediss://` address. */
  readonly address: string;
  /** Limit of all connecting: names, TCP, TLS, password, the first write. */
  readonly connectTimeoutMs: number;
  /** By channel. */
  readonly listeners: ReadonlyMap<string, (message: string) => void>;
  /** Key of a small value that is written to find out whether this server takes writes. */
  readonly checkKey: string;
  /** Called when a connection breaks. */
  readonly onBroken: (cause: unknown) => void;
}

const OPTIONS = {
  // a command that waits for a connection would run when its caller has gone on without it, and
  // count twice
  disableOfflineQueue: true,
  // older servers and proxies know no HELLO
  RESP: 2,
  disableClientInfo: true,
  maintNotifications: 'disabled',
} as const;
const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } };
const CHECK_MS = '1000';

/** @throws when Redis does not connect or does not take a write in time; nothing stays open then */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { listeners, checkKey, connectTimeoutMs } = options;
  const commands = newClient(options);
  const subscriber = newClient(options);
  const close = (): void => {
    for (const client of [commands, subscriber]) {
      client.removeAllListeners('error');
      client.on('error', () => {});
      client.destroy();
    }
  };
  const open = async (): Promise<void> => {
    await Promise.all([commands.connect(), subscriber.connect()]);
    const subscribed = [...listeners].map(([channel, heard]) =>
      subscriber.subscribe(channel, heard),
    );
    await Promise.all([
      ...subscribed,
      commands.sendCommand(['SET', checkKey, '1', 'PX', CHECK_MS]),
    ]);
  };
  try {
    const opened = await within(open(), connectTimeoutMs, true);
    if (opened === LATE) throw new Error('it did not answer in time');
  } catch (error) {
    close();
    throw error;
  }
  return {
    send: (command, asBytes) => commands.sendCommand(command, asBytes ? BYTES : undefined),
    ping: () => Promise.all([commands.ping(), subscriber.ping()]),
    close,
  };
}

/** A client for one connection: when that breaks, it is over. */
function newClient({ address, connectTimeoutMs, onBroken }: SessionOptions) {
  const { socket, ...login } = clientOptions(address);
  const client = createClient({
    ...OPTIONS,
    ...login,
    socket: { ...socket, connectTimeout: connectTimeoutMs, reconnectStrategy: false },
  });
  // without a listener an error would end the process
  client.on('error', onBroken);
  return client;
}
