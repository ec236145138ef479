import http from 'node:http';
import net from 'node:net';

/**
 * Loaded into a server by its tests: at SIGUSR2 something fails that no code catches.
 * `PLANTED_FAILURE` says what.
 */
const failure = () => new Error('planted failure');
let listening;

const FAILURES = {
  exception: () => {
    throw failure();
  },
  rejection: () => void Promise.reject(failure()),
  listener: () => listening.emit('error', failure()),
  /**
   * The stop that follows hangs. From then on long timers take a fortieth of their time, so that a
   * test can wait for its end.
   */
  hang: () => {
    http.Server.prototype.close = () => {};
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (work, ms, ...args) =>
      setTimeout(work, ms >= 30_000 ? ms / 40 : ms, ...args);
    throw failure();
  },
};

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (...args) {
  listening = this;
  return listen.apply(this, args);
};

process.on('SIGUSR2', () => FAILURES[process.env.PLANTED_FAILURE]());
