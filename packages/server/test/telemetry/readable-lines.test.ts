import { expect, it } from 'vitest';
import { createLog, type LogOptions } from '../../src/telemetry/log.ts';

/** The output of a log on a stream, with or without a terminal. */
function written(
  isTTY: boolean,
  options: LogOptions,
  use: (log: ReturnType<typeof createLog>) => void,
) {
  let text = '';
  const write = (part: string) => {
    text += part;
    return true;
  };
  const stream = Object.assign(Object.create(process.stdout), { isTTY, write });
  use(createLog('debug', stream, options));
  return text;
}

const hello = (log: ReturnType<typeof createLog>) =>
  log.info({ url: 'http://127.0.0.1:8080', count: 2, name: 'two words' }, 'listening');

it('writes JSON, and on a terminal a line for people; LOG_FORMAT overrides this', () => {
  const line =
    /^\d\d:\d\d:\d\d {2}INFO {3}listening {2}url=http:\/\/127.0.0.1:8080 count=2 name="two words"\n$/;
  expect(written(true, {}, hello)).toMatch(line);
  expect(written(false, { format: 'pretty' }, hello)).toMatch(line);
  for (const text of [written(false, {}, hello), written(true, { format: 'json' }, hello)]) {
    expect(JSON.parse(text)).toMatchObject({ level: 30, msg: 'listening', count: 2 });
    expect(text).toMatch(/^[^\n]+\n$/);
  }
});

it('shows the place of an internal error, and only the message of a warning', () => {
  const error = new Error('it broke');
  const text = written(true, {}, (log) => log.error({ err: error }, 'unexpected'));
  expect(text).toMatch(/^\S+ {2}ERROR {2}unexpected {2}it broke\n {4}at .*readable-lines/);
  const warning = written(true, {}, (log) => log.warn({ err: error }, 'a page failed'));
  expect(warning).toMatch(/^\S+ {2}WARN {3}a page failed {2}it broke\n$/);
});

it('colours lines by level if colours are on', () => {
  const marked = (mark: string) => (text: string) => `<${mark}:${text.trim()}>`;
  const paint = { dim: marked('dim'), warning: marked('warning'), bad: marked('bad') };
  const levels = written(true, { paint }, (log) => {
    log.fatal('a');
    log.error('a');
    log.warn('a');
    log.info('a');
    log.debug('a');
  });
  expect(levels.match(/(<\w+:)?[A-Z]+>?/g)).toEqual([
    '<bad:FATAL>',
    '<bad:ERROR>',
    '<warning:WARN>',
    'INFO',
    '<dim:DEBUG>',
  ]);
});

it('text from outside cannot control the terminal or forge a line', () => {
  const evil = 'a\u001b[2J\nb\u202e';
  const text = written(true, {}, (log) =>
    log.error({ err: Object.assign(new Error(evil), { stack: `Error: x\n${evil}` }), evil }, evil),
  );
  expect(text.split('\n')).toHaveLength(4);
  expect(text).not.toMatch(/[\u202e]/);
  expect(text).not.toContain('\u001b');
});
