/** Servers that must not be reached. */
export interface Traps {
  readonly tcpPort: number;
  readonly udpPort: number;
}

/** The ways of the page that report their outcome. */
export const WAYS: readonly string[] = [
  ...['fetch', 'post', 'localhost', 'mapped', 'tls', 'metadata', 'rebinding', 'rebindingTls'],
  ...['redirect', 'file', 'socket', 'secureSocket', 'events', 'workerScript', 'workerFetch'],
  ...['serviceWorker', 'stun', 'turn', 'transport'],
];

/**
 * A page that tries every way from a browser to the network, and records which of them succeeded.
 * It keeps the network busy until it is done: `/hold` is answered when `/release` is requested.
 */
export function hostilePage({ tcpPort, udpPort }: Traps): string {
  const trap = `127.0.0.1:${tcpPort}`;
  return `<!doctype html><html><head><title>Shell</title>
<link rel="dns-prefetch" href="http://rebind.example.com:${tcpPort}/">
<link rel="preconnect" href="http://${trap}/">
<link rel="preconnect" href="https://${trap}/">
<link rel="prefetch" href="http://${trap}/prefetch">
<link rel="stylesheet" href="http://${trap}/style.css">
<script src="http://${trap}/script.js"></script>
<script type="speculationrules">
{"prefetch":[{"source":"list","urls":["http://${trap}/speculation"]}],"prerender":[{"source":"list","urls":["/to-trap"]}]}
</script></head>
<body><div id="root"></div>
<img src="http://${trap}/image.png">
<iframe src="http://${trap}/frame"></iframe>
<iframe src="/to-trap"></iframe>
<iframe src="file:///etc/passwd"></iframe>
<object data="http://${trap}/object"></object>
<a id="ping" ping="http://${trap}/ping" href="#top">ping</a>
<form id="form" target="posted" method="post" action="http://${trap}/form"><input name="a" value="b"></form>
<iframe name="posted"></iframe>
<script>
fetch('/hold');
const get = (url, options) =>
  fetch(url, { mode: 'no-cors', ...options }).then(() => 'REACHED', () => 'refused');
const socket = (url) => new Promise((resolve) => {
  const web = new WebSocket(url);
  web.onopen = () => resolve('REACHED');
  web.onerror = () => resolve('refused');
});
const call = (servers) => new Promise((resolve) => {
  const peer = new RTCPeerConnection({ iceServers: [servers] });
  let found = 'refused';
  peer.createDataChannel('a');
  peer.onicecandidate = ({ candidate }) => { if (candidate && candidate.candidate) found = 'REACHED'; };
  peer.onicegatheringstatechange = () => { if (peer.iceGatheringState === 'complete') resolve(found); };
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
});
const worker = (script) => new Promise((resolve) => {
  const one = new Worker(URL.createObjectURL(new Blob([script])));
  one.onmessage = ({ data }) => resolve(data);
  one.onerror = () => resolve('refused');
});
const ways = {
  fetch: get('http://${trap}/fetch'),
  post: get('http://${trap}/post', { method: 'POST', body: 'a' }),
  localhost: get('http://localhost:${tcpPort}/'),
  mapped: get('http://[::ffff:127.0.0.1]:${tcpPort}/'),
  tls: get('https://${trap}/'),
  metadata: get('http://169.254.169.254/latest/meta-data/'),
  rebinding: get('http://rebind.example.com:${tcpPort}/'),
  rebindingTls: get('https://rebind.example.com:${tcpPort}/'),
  redirect: get('/to-trap'),
  file: get('file:///etc/hostname'),
  socket: socket('ws://${trap}/socket'),
  secureSocket: socket('wss://${trap}/socket'),
  events: new Promise((resolve) => {
    const events = new EventSource('http://${trap}/events');
    events.onopen = () => resolve('REACHED');
    events.onerror = () => { events.close(); resolve('refused'); };
  }),
  workerScript: worker("importScripts('http://${trap}/worker.js'); postMessage('REACHED')"),
  workerFetch: worker("fetch('http://${trap}/worker', { mode: 'no-cors' }).then(() => postMessage('REACHED'), () => postMessage('refused'))"),
  serviceWorker: navigator.serviceWorker.register('/service-worker.js').then((got) => got ? 'REACHED' : 'refused', () => 'refused'),
  stun: call({ urls: 'stun:127.0.0.1:${udpPort}' }),
  turn: call({
    urls: ['turn:127.0.0.1:${udpPort}', 'turn:${trap}?transport=tcp', 'turns:${trap}?transport=tcp'],
    username: 'a', credential: 'b',
  }),
  transport: new WebTransport('https://127.0.0.1:${udpPort}/').ready.then(() => 'REACHED', () => 'refused'),
};
navigator.sendBeacon('http://${trap}/beacon', 'a');
document.getElementById('ping').click();
document.getElementById('form').submit();
window.open('http://${trap}/popup');
(async () => {
  const lines = [];
  for (const [way, outcome] of Object.entries(ways)) lines.push('<p>' + way + ': ' + (await outcome) + '</p>');
  document.getElementById('root').innerHTML = lines.join('');
  fetch('/release');
})();
</script></body></html>`;
}
