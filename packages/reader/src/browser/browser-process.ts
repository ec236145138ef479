import type { Browser } from 'playwright-core';

export interface BrowserOptions {
  /** The operator's Chromium. */
  readonly path: string;
  /** Chromium's own sandbox. */
  readonly hasSandbox: boolean;
  /** The only way out. */
  readonly proxyUrl: string;
  /** Without a page for this long it is closed. */
  readonly idleMs: number;
}

/** One Chromium for all pages: started with the first one, again after a crash, closed when nobody needs it. */
export interface BrowserProcess {
  /** Rejects where it cannot be started. Each call is followed by one of `release`. */
  acquire(): Promise<Browser>;
  release(): void;
  /** Ends a browser that does not answer any more. */
  discard(browser: Browser): void;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

/** Nothing of our own environment, which holds keys. */
export const BROWSER_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
};

/**
 * Beside what the driver sets by itself (no background networking, updates, extensions, sync or crash reports). All that
 * could leave the machine past the proxy is off: name look-ups, UDP of WebRTC, QUIC.
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
      // it never began
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
      // it was lost just now
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

/** Closes browsers, and knows which of them are not closed yet. */
function createEnding() {
  const ending = new Set<Promise<void>>();
  return {
    add(browser: Browser): void {
      const ended = browser.close().catch(() => {
        // it is gone already
      });
      ending.add(ended);
      ended.finally(() => ending.delete(ended));
    },
    all: async (): Promise<void> => void (await Promise.all(ending)),
  };
}

/** The driver is loaded with the first page: whoever renders none need not have it. */
async function launch({ path, hasSandbox, proxyUrl }: BrowserOptions): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({
    executablePath: path,
    chromiumSandbox: hasSandbox,
    args: ARGUMENTS,
    env: BROWSER_ENVIRONMENT,
    // the driver makes a profile for this one process and removes it
    proxy: { server: proxyUrl, bypass: PROXY_FOR_ALL },
    timeout: START_TIMEOUT_MS,
    // the server ends in its own way
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

/** Chromium passes its proxy by for this machine's own addresses, unless it is told not to. */
export const PROXY_FOR_ALL = '<-loopback>';

/**
 * WebRTC is what alone would go past the proxy, and the switch against it has changed its name before: a browser that
 * still finds addresses to call from is not used.
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
