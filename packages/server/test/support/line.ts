import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A connection to the database that can be cut. */
export interface Line {
  /** The same database, reached over this line. */
  readonly over: (url: string) => Promise<string>;
  readonly cut: () => Promise<void>;
  readonly repair: () => Promise<void>;
}

export function createLine(): Line {
  const sockets = new Set<net.Socket>();
  let target = { host: '', port: 0 };
  let port = 0;
  const relay = net.createServer((socket) => {
    const far = net.connect(target);
    for (const end of [socket, far]) {
      sockets.add(end);
      end.on('error', () => {});
      end.on('close', () => {
        sockets.delete(end);
        socket.destroy();
        far.destroy();
      });
    }
    socket.pipe(far).pipe(socket);
  });
  const repair = async () => {
    relay.listen(port, '127.0.0.1');
    await once(relay, 'listening');
    port = (relay.address() as AddressInfo).port;
  };
  return {
    over: async (text) => {
      const url = new URL(text);
      target = { host: url.hostname, port: Number(url.port || 5432) };
      await repair();
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    cut: async () => {
      const closed = once(relay, 'close');
      relay.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    repair,
  };
}
