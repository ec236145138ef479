import { Agent, get } from 'node:http';

/**
 * Asks an address every 20 ms, without waiting for earlier answers, so a pause of the server delays
 * all requests that fall into it. Sends the times in milliseconds when a message comes; -1 = not
 * answered with 200.
 */
const INTERVAL_MS = 20;
const OPEN_MAX = 1_000;

const [url = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const times: number[] = [];
let open = 0;

function ask(): void {
  if (open >= OPEN_MAX) return;
  open += 1;
  const startedAt = performance.now();
  const done = (time: number) => {
    open -= 1;
    times.push(time);
  };
  send(startedAt, done);
}

function send(startedAt: number, done: (time: number) => void): void {
  const request = get(url, { agent }, (response) => {
    response.resume();
    response.on('end', () =>
      done(response.statusCode === 200 ? performance.now() - startedAt : -1),
    );
    response.on('error', () => done(-1));
  });
  request.on('error', () => {
    // the server may close an idle connection at this moment, which does not count as a failure
    if (request.reusedSocket) send(startedAt, done);
    else done(-1);
  });
}

const timer = setInterval(ask, INTERVAL_MS);
process.send?.('ready');
process.on('message', () => {
  clearInterval(timer);
  const wait = setInterval(() => {
    if (open > 0) return;
    clearInterval(wait);
    process.send?.(times);
  }, INTERVAL_MS);
});
process.on('disconnect', () => process.exit(0));
