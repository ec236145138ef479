import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';

export interface BrowserOptions {
  /** The operator's Chromium. */
  readonly path: string;
  /** Chromium's own sandbox. */
  readonly hasSandbox: boolean;
  /** The only way out. */
  readonly proxyUrl: string;
  /** The browser is closed after this long without a page. */
  readonly idleMs: number;
}

/**
 * One Chromium for all pages. It is started with the first page, restarted after a crash, and
 * closed when it is idle.
 */
export interface BrowserProcess {
  /** Rejects when it cannot be started. Each call must be followed by one call of `release`. */
  acquire(): Promise<Browser>;
  release(): void;
  /** Ends a browser that no longer responds. */
  discard(browser: Browser): void;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

/** Nothing of our own environment, because it holds keys. */
export const BROWSER_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
};

/**
 * Added to the driver's own arguments (no background networking, updates, extensions, sync or crash
 * reports). They turn off everything that could bypass the proxy: name look-ups, UDP of WebRTC,
 * QUIC.
 */
const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--dns-prefetch-disable',
  '--no-pings',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--block-new-web-contents',
  '--mute-audio',
];

/**
 * Turned off. The first two are pages of the address bar: Chromium started them for each page that
 * is rendered, which took two thirds of its processor time. The others are the driver's own, since
 * the last switch of a name counts.
 */
export const DISABLED_FEATURES: readonly string[] = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...['DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable'],
  ...['LensOverlay', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'msForceBrowserSignIn'],
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

export function createBrowserProcess(options: BrowserOptions): BrowserProcess {
  let current: Promise<Browser> | undefined;
  let users = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const ending = createEnding();

  const forget = (started: Promise<Browser>): void => {
    if (current === started) current = undefined;
  };
  const start = (): Promise<Browser> => {
    const started = launch(options);
    started.then(
      (browser) => browser.on('disconnected', () => forget(started)),
      () => forget(started),
    );
    return started;
  };
  const endCurrent = (): void => {
    const started = current;
    current = undefined;
    started?.then(ending.add, () => {
      // it never started
    });
  };
  return {
    acquire: async () => {
      clearTimeout(idleTimer);
      users += 1;
      current ??= start();
      const started = current;
      const browser = await started;
      if (browser.isConnected()) return browser;
      // it disconnected in the meantime
      forget(started);
      current ??= start();
      return current;
    },
    release: () => {
      users -= 1;
      if (users === 0) idleTimer = setTimeout(endCurrent, options.idleMs).unref();
    },
    discard: (browser) => {
      current?.then(
        (one) => {
          if (one === browser) current = undefined;
        },
        () => undefined,
      );
      ending.add(browser);
    },
    close: async () => {
      clearTimeout(idleTimer);
      const started = current;
      endCurrent();
      await started?.catch(() => undefined);
      await ending.all();
    },
  };
}

/** Closes browsers, and keeps track of those that are not closed yet. */
function createEnding() {
  const ending = new Set<Promise<void>>();
  return {
    add(browser: Browser): void {
      const ended = browser.close().catch(() => {
        // already closed
      });
      ending.add(ended);
      ended.finally(() => ending.delete(ended));
    },
    all: async (): Promise<void> => void (await Promise.all(ending)),
  };
}

/** The driver is loaded with the first page, so it is only needed where pages are rendered. */
async function launch({ path, hasSandbox, proxyUrl }: BrowserOptions): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: path,
    chromiumSandbox: hasSandbox,
    args: [...ARGUMENTS, `--disable-features=${DISABLED_FEATURES}`],
    env: BROWSER_ENVIRONMENT,
    // the driver creates a profile for this process and removes it
    proxy: { server: proxyUrl, bypass: PROXY_FOR_ALL },
    timeout: START_TIMEOUT_MS,
    // the server handles signals itself
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const hanging = setTimeout(() => void browser.close(), START_TIMEOUT_MS).unref();
  try {
    if (await isConfined(browser)) return browser;
    throw new Error('this Chromium does not keep WebRTC behind its proxy');
  } catch (error) {
    await browser.close();
    throw error;
  } finally {
    clearTimeout(hanging);
  }
}

/** By default Chromium bypasses its proxy for this machine's own addresses; this turns that off. */
export const PROXY_FOR_ALL = '<-loopback>';

/**
 * Only WebRTC would bypass the proxy, and the switch against it has been renamed before. A browser
 * that still finds local addresses is therefore not used.
 */
const COUNT_OWN_ADDRESSES = `typeof RTCPeerConnection === 'undefined' ? 0 : new Promise((resolve) => {
  let found = 0;
  const peer = new RTCPeerConnection();
  peer.createDataChannel('probe');
  peer.onicecandidate = ({ candidate }) => { if (candidate && candidate.candidate) found += 1; };
  peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') resolve(found); };
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
  setTimeout(() => resolve(-1), 5000);
})`;

async function isConfined(browser: Browser): Promise<boolean> {
  const page = await browser.newPage();
  const found = await page.evaluate(COUNT_OWN_ADDRESSES);
  await page.close();
  return found === 0;
}

const VERSION_TIMEOUT_MS = 15_000;

/**
 * Why pages cannot be rendered with this browser, as far as can be checked without starting it;
 * null = no problem found.
 */
export async function browserProblem(path: string, hasSandbox: boolean): Promise<string | null> {
  if (hasSandbox && process.getuid?.() === 0) {
    return 'Chromium does not run as root with its sandbox: run the server as another user, or set DIRECT_BROWSER_SANDBOX=off';
  }
  try {
    await import('playwright-core');
  } catch {
    return 'the optional package playwright-core is not installed';
  }
  try {
    const options = { env: BROWSER_ENVIRONMENT, timeout: VERSION_TIMEOUT_MS };
    const { stdout } = await promisify(execFile)(path, ['--version'], options);
    return /\d{1,6}\.\d{1,6}\.\d{1,6}\.\d/.test(stdout) ? null : 'its program is not Chromium';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return 'the file does not exist';
    return code === 'EACCES' ? 'the file is not executable' : 'its program does not run';
  }
}
