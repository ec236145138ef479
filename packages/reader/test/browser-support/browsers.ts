import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@trawl/base';
import { onTestFinished } from 'vitest';
import { createRenderer, type RendererOptions } from '../../src/browser/renderer.ts';
import type { FollowOptions } from '../../src/download/follow.ts';
import type { RenderResult } from '../../src/pages/types.ts';
import { allow, USER_AGENT } from '../support.ts';

export const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
export const isThere = existsSync(CHROMIUM);
if (!isThere && process.env.TEST_REQUIRE === 'all') throw new Error(`no browser at ${CHROMIUM}`);

/** Completes the title of a suite. */
export const SKIPPED = isThere ? '' : ` (skipped: no browser at ${CHROMIUM}, set CHROMIUM_PATH)`;

/** Far more than any page of these tests takes, even on a slow machine. */
export const AMPLE_MS = 60_000;

/** Starting a browser may be slow; this is the limit of a whole test. */
export const TEST_TIMEOUT_MS = 120_000;

type TestRendererOptions = Partial<Omit<RendererOptions, 'allowed'>> & {
  readonly allowed: string;
};

/** A renderer for one test. */
export function rendererFor(options: TestRendererOptions) {
  const renderer = openRenderer(options);
  onTestFinished(renderer.close);
  return renderer;
}

/**
 * A renderer that its test file closes. Tests may run as root, which Chromium's sandbox does not
 * allow.
 */
export function openRenderer({ allowed, ...options }: TestRendererOptions) {
  const faults: string[] = [];
  const renderer = createRenderer({
    path: CHROMIUM,
    hasSandbox: false,
    userAgent: USER_AGENT,
    clock: systemClock,
    reportFault: (_cause, what) => faults.push(what),
    allowed: allow(allowed),
    renderMaxMs: AMPLE_MS,
    settleMaxMs: AMPLE_MS,
    ...options,
  });
  return {
    faults,
    close: renderer.close,
    render: (
      url: string,
      timeoutMs = AMPLE_MS,
      signal = new AbortController().signal,
      webRule?: FollowOptions['webRule'],
    ) => renderer.render(url, { callerId: 'key-1', signal, timeoutMs, webRule }),
  };
}

/** The rendered text, or why rendering failed. */
export const drawnBy = (result: RenderResult): string => {
  if (result.kind === 'rendered') return Buffer.from(result.download.body).toString();
  return result.kind === 'failed' ? `<${result.reason}>` : '<cancelled>';
};

/** A program of this text, for one test. */
export async function programOf(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-browser-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'program');
  await writeFile(path, text.replaceAll('FOLDER', folder));
  await chmod(path, 0o755);
  return { path, read: (name: string) => readFile(join(folder, name), 'utf8') };
}

/** Chromium started by a script that records its process id. */
export async function tracedChromium() {
  const program = await programOf(`#!/bin/sh\necho $$ >> FOLDER/pids\nexec ${CHROMIUM} "$@"\n`);
  return {
    path: program.path,
    /** The process ids of the starts so far, oldest first. */
    pids: async () => (await program.read('pids')).trim().split('\n').map(Number),
  };
}
