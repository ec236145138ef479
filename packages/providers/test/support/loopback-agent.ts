import { Agent, type AgentOptions } from 'node:http';
import { connect } from 'node:net';

/** Sends every connection to a loopback port, for clients that have no setting for their host. */
export class LoopbackAgent extends Agent {
  readonly #port: number;
  constructor(url: string, options?: AgentOptions) {
    super(options);
    this.#port = Number(new URL(url).port);
  }
  override createConnection() {
    return connect(this.#port, '127.0.0.1');
  }
}
