/** Tells the bench where this process listens, and what it has used whenever it asks. */
export function report(url) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({ cpuMicros: user + system, memoryMb: process.memoryUsage().rss / 1_048_576 });
  });
  process.send({ url });
}
