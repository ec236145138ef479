import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';

/** What is answered for one type: addresses, a failure, or nothing at all. */
export type Answer = readonly string[] | 'unknown' | 'failure' | 'silence';

interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
}

const AAAA = 28;
const CODES = { unknown: 3, failure: 2 } as const;
const HEAD_BYTES = 12;

/** A name server on UDP for one test. */
export async function serveNames(answerTo: (question: Question) => Answer) {
  const asked: string[] = [];
  const socket = createSocket('udp4', (packet, { port, address }) => {
    const { name, type, end } = questionOf(packet);
    asked.push(`${type} ${name}`);
    const answer = answerTo({ name, type });
    if (answer !== 'silence')
      socket.send(answerPacket(packet.subarray(0, end), answer), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

function questionOf(packet: Buffer) {
  const labels: string[] = [];
  let at = HEAD_BYTES;
  for (let length = packet.readUInt8(at); length > 0; length = packet.readUInt8(at)) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = packet.readUInt16BE(at + 1) === AAAA ? ('AAAA' as const) : ('A' as const);
  return { name: labels.join('.'), type, end: at + 5 };
}

/** @param asked head and question of the query */
function answerPacket(asked: Buffer, answer: readonly string[] | keyof typeof CODES): Buffer {
  const addresses = typeof answer === 'string' ? [] : answer;
  const head = Buffer.from(asked.subarray(0, HEAD_BYTES));
  // an answer, to a query that wants recursion, which is available
  head.writeUInt16BE(0x8180 + (typeof answer === 'string' ? CODES[answer] : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, asked.subarray(HEAD_BYTES), ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const data = isIPv6(address)
    ? sixteenBytes(address)
    : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(HEAD_BYTES);
  // the name of the question
  head.writeUInt16BE(0xc000 + HEAD_BYTES, 0);
  head.writeUInt16BE(isIPv6(address) ? AAAA : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function sixteenBytes(address: string): Buffer {
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const groups = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
