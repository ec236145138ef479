import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isForbiddenLiteral } from '../src/download/address-guard.ts';
import { isForbiddenAddress } from '../src/download/forbidden-address.ts';

const RUNS = 5_000;

/**
 * First address and length of every block that must be refused. A second list, independent of the
 * server's own.
 */
const PRIVATE_BLOCKS: readonly (readonly [number, number])[] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
  [0xa83f8110, 32],
];

const inBlock = (address: number): boolean =>
  PRIVATE_BLOCKS.some(([start, length]) => {
    const size = 2 ** (32 - length);
    return address >= start && address < start + size;
  });

const anyAddress = fc.integer({ min: 0, max: 0xffffffff });
const privateAddress = fc
  .tuple(fc.constantFrom(...PRIVATE_BLOCKS), anyAddress)
  .map(([[start, length], random]) => start + (random % 2 ** (32 - length)));
/** Half of them next to a block's edges. */
const publicAddress = fc
  .oneof(
    anyAddress,
    fc
      .tuple(fc.constantFrom(...PRIVATE_BLOCKS), fc.integer({ min: 1, max: 300 }), fc.boolean())
      .map(([[start, length], off, before]) =>
        before ? start - off : start + 2 ** (32 - length) - 1 + off,
      ),
  )
  .filter((address) => address >= 0 && address <= 0xffffffff && !inBlock(address));

const bytesOf = (address: number): number[] =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256);
const dotted = (address: number): string => bytesOf(address).join('.');
const hexPairs = (address: number): string =>
  `${Math.floor(address / 65_536).toString(16)}:${(address % 65_536).toString(16)}`;

/** A number in one of the bases, with leading zeros if they do not change its value. */
const spelled = (value: number, base: number, zeros: number): string => {
  if (base === 10) return String(value);
  const fill = '0'.repeat(zeros);
  return base === 8 ? `0${fill}${value.toString(8)}` : `0x${fill}${value.toString(16)}`;
};

const style = fc.record({
  /** How many of the four bytes are written separately; the rest is one number. */
  parts: fc.integer({ min: 1, max: 4 }),
  bases: fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(8, 10, 16))),
  zeros: fc.integer({ min: 0, max: 12 }),
  upper: fc.boolean(),
  dot: fc.constantFrom('.', '。', '．', '｡', '%2e'),
  rootDot: fc.boolean(),
});

function spellIpv4(address: number, { parts, bases, zeros, upper, dot, rootDot }: Style): string {
  const bytes = bytesOf(address);
  const rest = address % 2 ** (8 * (5 - parts));
  const numbers = [...bytes.slice(0, parts - 1), rest];
  const text = numbers.map((value, index) => spelled(value, bases[index] ?? 10, zeros)).join(dot);
  return `${upper ? text.toUpperCase() : text}${rootDot ? '.' : ''}`;
}
type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Carriers that are judged by the embedded IPv4 address, in both spellings of the last four bytes.
 */
const CARRIERS = [
  (address: number) => `::ffff:${dotted(address)}`,
  (address: number) => `::ffff:${hexPairs(address)}`,
  (address: number) => `0:0:0:0:0:FFFF:${hexPairs(address)}`,
  (address: number) => `64:ff9b::${dotted(address)}`,
  (address: number) => `64:ff9b::${hexPairs(address)}`,
  (address: number) => `2606:4700::5efe:${dotted(address)}`,
  (address: number) => `2606:4700::200:5efe:${hexPairs(address)}`,
];
/** Carriers that are always refused. */
const DEAD_CARRIERS = [
  (address: number) => `::${dotted(address)}`,
  (address: number) => `::ffff:0:${dotted(address)}`,
  (address: number) => `64:ff9b:1::${dotted(address)}`,
  (address: number) => `2002:${hexPairs(address)}::`,
  (address: number) => `2002:${hexPairs(address)}::1`,
  (address: number) => `2001:0:4136:e378:8000:63bf:${hexPairs(0xffffffff - address)}`,
  (address: number) => `fe80::5efe:${dotted(address)}`,
];

const isForbidden = (host: string) => isForbiddenLiteral(new URL(`http://${host}/`), []);

describe('any IPv4 address', () => {
  test('that is private is refused in every spelling', () => {
    fc.assert(
      fc.property(privateAddress, style, (address, spelling) => {
        expect(isForbidden(spellIpv4(address, spelling))).toBe(true);
        expect(isForbiddenAddress(dotted(address))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('that is public passes in every spelling', () => {
    fc.assert(
      fc.property(publicAddress, style, (address, spelling) => {
        expect(isForbidden(spellIpv4(address, spelling))).toBe(false);
        expect(isForbiddenAddress(dotted(address))).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  test('inside IPv6 is judged by itself in a carrier', () => {
    fc.assert(
      fc.property(anyAddress, fc.constantFrom(...CARRIERS), (address, carry) => {
        const carried = carry(address);
        expect(isForbidden(`[${carried}]`)).toBe(inBlock(address));
        expect(isForbiddenAddress(carried)).toBe(inBlock(address));
      }),
      { numRuns: RUNS },
    );
  });

  test('that is private is refused inside IPv6', () => {
    const carry = fc.constantFrom(...CARRIERS, ...DEAD_CARRIERS);
    fc.assert(
      fc.property(privateAddress, carry, (address, carried) => {
        expect(isForbidden(`[${carried(address)}]`)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('is refused inside deprecated tunnels and translations', () => {
    fc.assert(
      fc.property(anyAddress, fc.constantFrom(...DEAD_CARRIERS), (address, carry) => {
        expect(isForbidden(`[${carry(address)}]`)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('any IPv6 address', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  const groups = (first: fc.Arbitrary<number>) =>
    fc
      .tuple(first, ...Array.from({ length: 7 }, () => group))
      .map((all) => all.map((each) => each.toString(16)).join(':'));

  test('outside 2000::/3 is refused', () => {
    const outside = group.filter((first) => (first < 0x2000 || first > 0x3fff) && first !== 0x64);
    fc.assert(
      fc.property(groups(outside), (address) => {
        expect(isForbidden(`[${address}]`)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('from the blocks of the regional registries passes', () => {
    const inside = fc.integer({ min: 0x2003, max: 0x3ffe });
    fc.assert(
      fc.property(groups(inside), (address) => {
        expect(isForbidden(`[${address}]`)).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });
});

test('text from a resolver that is not an address is forbidden', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isForbiddenAddress(text)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('every URL is judged', () => {
  fc.assert(
    fc.property(fc.webUrl(), (text) => {
      expect(typeof isForbiddenLiteral(new URL(text), [])).toBe('boolean');
    }),
    { numRuns: 1_000 },
  );
});
