/** The server as `npm start` starts it, in a process that can report its usage. */
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { report } from './report.mjs';

/**
 * A port that was free a moment ago: the program prints its address to a log that the bench does
 * not read.
 */
const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
process.env.PORT = String(port);
process.argv = [process.argv[0], process.env.ENTRY, 'serve'];
import(pathToFileURL(process.env.ENTRY).href);
const url = `http://127.0.0.1:${port}`;
for (;;) {
  const isReady = await fetch(`${url}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );
  if (isReady) break;
  await new Promise((resolve) => setTimeout(resolve, 50));
}
report(url);
