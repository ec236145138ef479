/**
 * Loaded into a server before its program: at SIGUSR2 its clock jumps by CLOCK_JUMP_MS, and back at
 * the next one.
 */
const { CLOCK_JUMP_MS } = process.env;
let aheadMs = 0;

globalThis.Date = new Proxy(Date, {
  construct: (real, parts, made) =>
    Reflect.construct(real, parts.length === 0 ? [real.now() + aheadMs] : parts, made),
  get: (real, name) => (name === 'now' ? () => real.now() + aheadMs : real[name]),
});

process.on('SIGUSR2', () => {
  aheadMs = aheadMs === 0 ? Number(CLOCK_JUMP_MS) : 0;
});
