/**
 * Ways to write an address that must not be fetched, collected from published lists of such tricks.
 */
// biome-ignore format: one form after the other
const ADDRESSES = [
  // loopback, in full, shortened and padded
  '127.0.0.1', '127.0.0.2', '127.0.1.3', '127.127.127.127', '127.255.255.255', '127.0.0.0',
  '127.1', '127.0.1', '127.000.000.001', '127.0.0.1.', '127.1.', '0', '0.0', '0.0.0', '0.0.0.0',
  '0.0.0.1', '0x0', '00000000000', '0.1', '00.00.00.00', '0x00.0x00.0x00.0x00',
  // decimal, octal and hexadecimal
  '2130706433', '2130706434', '017700000001', '0177.0.0.1', '0177.1', '0177.0.1',
  '0177.0000.0000.0001', '00177.00.00.01', '0x7f000001', '0X7F000001', '0x7f.1', '0x7f.0.1',
  '0x7f.0.0.1', '0x7f.0x0.0x0.0x1', '0x7f.0x000001', '127.0x1', '127.01', '0177.0x1', '127.0.0x1',
  '0x7F.00.0x0.01', '0000000000000000177.1', '0x000000007f.1',
  // in other scripts and encodings
  '①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1', '%30x7f.1', '１６９。２５４。１６９。２５４', '𝟏𝟐𝟕.𝟎.𝟎.𝟏', '127.0.0.%31', '127.\u00ad0.0.1',
  '0\u200bx7f.1', '⓪x7f.1',
  // private networks
  '10.0.0.0', '10.0.0.1', '10.255.255.255', '10.1', '167772161', '0xa.1', '012.1', '0x0a000001',
  '172.16.0.1', '172.31.255.255', '0xac.0x10.1', '0254.020.0.1', '2886729729', '192.168.0.1',
  '192.168.1.1', '192.168.1', '192.168.257', '3232235521', '3232235777', '0xc0a80001',
  '0300.0250.0.1', '0xc0.0xa8.0.1', '030052000001',
  // link-local and the metadata services there
  '169.254.169.254', '169.254.169.254.', '169.254.170.2', '169.254.0.23', '2852039166',
  '0xa9fea9fe', '0xA9.0xFE.0xA9.0xFE', '0251.0376.0251.0376', '0251.00376.000251.0000376',
  '0251.254.169.254', '025177524776', '169.254.43518', '169.16689662', '0xa9.254.0251.0xfe',
  '169.254.169.0xfe', '100.100.100.200', '0x646464c8', '192.0.0.192', '168.63.129.16',
  '0xa83f8110', '169.254.0.1', '169.254.255.255',
  // the other special blocks
  '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.0.8', '192.0.2.1', '192.88.99.1',
  '198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250',
  '240.0.0.1', '255.255.255.255', '0xffffffff', '4294967295', '037777777777', '0xe0.1',
  // IPv6
  '[::]', '[0:0:0:0:0:0:0:0]', '[0000::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::1]', '[::0001]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0:1]', '[0::1]', '[fc00::1]', '[fd00::1]',
  '[fd00:ec2::254]', '[FD00:EC2::254]', '[fd20:ce::254]', '[fdff:ffff::1]', '[fe80::1]', '[febf::1]',
  '[fe80::a9fe:a9fe]', '[fec0::1]', '[feff::1]', '[ff00::]', '[ff02::1]', '[ff0e::1]', '[100::1]',
  '[100:0:0:1::1]', '[200::1]', '[400::1]', '[1000::1]', '[4000::1]', '[5f00::1]', '[8000::1]',
  '[e000::1]', '[2001::1]', '[2001:2::1]', '[2001:10::1]', '[2001:20::1]', '[2001:30::1]',
  '[2001:1ff:ffff::1]', '[2001:db8::1]', '[2001:0DB8::1]', '[3fff::1]', '[3fff:fff:ffff::1]',
  // IPv4 inside IPv6
  '[::ffff:127.0.0.1]', '[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:7f00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:1]', '[::ffff:a9fe:a9fe]',
  '[::ffff:169.254.169.254]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::ffff:10.0.0.1]', '[::ffff:a00:1]',
  '[::ffff:0.0.0.0]', '[::ffff:0:0]', '[::ffff:192.168.0.1]', '[::ffff:172.16.0.1]',
  '[::ffff:100.100.100.200]', '[::ffff:224.0.0.1]', '[::127.0.0.1]', '[::7f00:1]', '[::a9fe:a9fe]',
  '[::169.254.169.254]', '[::8.8.8.8]', '[::ffff:0:127.0.0.1]', '[::ffff:0:7f00:1]',
  '[::ffff:0:8.8.8.8]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]',
  '[64:ff9b::a9fe:a9fe]', '[64:ff9b::169.254.169.254]', '[64:ff9b:0:0:0:0:c0a8:1]',
  '[64:ff9b:1::127.0.0.1]', '[64:ff9b:1::a9fe:a9fe]', '[64:ff9b:1:a9fe:a9:fe00::]',
  '[64:ff9b:0:1::8.8.8.8]', '[2002:7f00:1::]', '[2002:7f00:1::1]', '[2002:a9fe:a9fe::]',
  '[2002:a00:1::]', '[2002:c0a8:101::1]', '[2002:808:808::]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
  '[2001:0:7f00:1::]', '[2001:0:0:0:0:0:80ff:fffe]', '[2606:4700::5efe:127.0.0.1]',
  '[2606:4700::5efe:a00:1]', '[2606:4700::200:5efe:169.254.169.254]', '[fe80::5efe:10.0.0.1]',
  '[fe80::200:5efe:8.8.8.8]',
];

/** Names that only exist on the server's own network. */
// biome-ignore format: one form after the other
const NAMES = [
  'localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'LocalHost.', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ｌｏｃａｌｈｏｓｔ', '%6cocalhost',
  'loc%61lhost', 'local\u00adhost', 'a.localhost', 'a.b.localhost', 'www.localhost.', 'localhost.localdomain',
  'localhost6.localdomain6.localdomain', 'ip6-localhost', 'ip6-loopback', 'broadcasthost', 'router', 'intranet', 'metadata',
  'instance-data', 'rancher-metadata', 'kubernetes', 'redis', 'postgres', 'ai', 'com.', '.', 'o177', 'xn--fiqs8s',
  'printer.local', 'PRINTER.LOCAL.', 'foo..local', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local',
  'host.docker.internal', 'gateway.docker.internal', 'metadata.google.internal', 'Metadata.Google.Internal.',
  'metadata.google。internal', 'metadata.goog.internal', 'instance-data.ec2.internal', 'nas.home.arpa', 'home.arpa',
  'fritz.box.home', 'wiki.corp', 'wiki.intranet', 'wiki.lan', 'nas.private', 'metadata.tencentyun.com',
  'metadata.packet.net', 'metadata.platformequinix.com.',
];

/** The same with ports, paths and other parts that confuse parsers. */
// biome-ignore format: one form after the other
const WHOLE = [
  'http:127.0.0.1', 'http:/127.0.0.1', 'http:\\\\127.0.0.1\\', 'http:////127.0.0.1', 'http://\t127.0.0.1/',
  'http://127.0\n.0.1/', ' http://127.0.0.1 ', 'http:\\/\\/127.0.0.1', 'HTTP://127.0.0.1:80/', 'https://127.0.0.1:443',
  'http://127.0.0.1:8080/%61dmin', 'http://127.1.1.1:80\\@example.com/', 'http://127.1.1.1:80\\@@example.com:80/',
  'http://127.1.1.1:80#\\@example.com:80/', 'http://example.com@127.0.0.1/',
  'http://example.com:80@169.254.169.254/', 'http://example.com%2f@127.0.0.1/', 'http://127.0.0.1?@example.com',
  'http://127.0.0.1;@example.com@10.0.0.1/', 'http://[::]:3128/',
  'http://[::1]:6379/', 'http://[::ffff:169.254.169.254]:80/latest/meta-data/', 'http://0:2375/containers/json',
  'https://localhost:8443/', 'http://localhost:00011211/', 'http://example.com@[::1]/',
];

/** A private address as user information, before a public host. */
// biome-ignore format: one form after the other
const USERS = [
  'http://127.0.0.1@example.com/', 'http://1.1.1.1 &@2.2.2.2# @3.3.3.3/', 'http://127.0.0.1%2f@example.com\\',
  'http://127.0.0.1:80@example.com/', 'http://me@example.com/', 'http://me:secret@example.com/', 'http://:secret@example.com/',
];

/** Texts that `URL` rejects; a downloader must not read them as addresses either. */
// biome-ignore format: one form after the other
const NO_URL = [
  'http://127.1.1.1:80:\\@@127.2.2.2:80/', 'http://localhost:+11211aaa', 'http://localhost:00011211aaaa/',
  'http://0o177.0.0.1/', 'http://q177.0.0.1/', 'http://425.510.425.510/', 'http://7147006462/', 'http://256.256.256.256/',
  'http://0x41414141A9FEA9FE/', 'http://127.0.0.1.1/', 'http://1.2.3.4.5/', 'http://0x7f.0.0.1.1', 'http://999.1/',
  'http://127.0.0.08/', 'http://[::1%25lo]/', 'http://[fe80::1%eth0]/', 'http://[fe80::1%25eth0]/', 'http://[::1]extra/',
  'http://[127.0.0.1]/', 'http://[::ffff:127.0.1]/', 'http://[::ffff:0x7f.0.0.1]/', 'http://[::ffff:127.0.0.01]/',
  'http://[::1', 'http://::1/', 'http://0000::1:80/', 'http://[1::2::3]/', 'http://[v1.1]/', 'http://127.0.0.1%00.example.com/',
  'http://127.0.0.1%0a/', 'http://exa mple.com/', 'http://%20/', 'http:///', 'http://:80/', 'http://127.0.0.1:99999/',
  'http://๑๒๗.0.0.1/', '//127.0.0.1/', '127.0.0.1', 'localhost',
];

// biome-ignore format: one form after the other
const SCHEMES = [
  'file:///etc/passwd', 'file://127.0.0.1/etc/passwd', 'gopher://127.0.0.1:25/xHELO', 'dict://127.0.0.1:11211/stats',
  'ftp://127.0.0.1/', 'sftp://example.com:11111/', 'tftp://example.com:12346/x', 'ldap://localhost:11211/%0astats',
  'jar:http://127.0.0.1!/', 'netdoc:///etc/passwd', 'data:text/html,hello', 'javascript:alert(1)', 'blob:http://127.0.0.1/x',
  'ws://127.0.0.1/', 'view-source:http://127.0.0.1/', 'about:blank', 'mailto:a@example.com', 'localhost:80/', 'unix:/run/x.sock',
];

// biome-ignore format: one form after the other
const PUBLIC_ADDRESSES = [
  '8.8.8.8', '1.1.1.1', '1.0.0.1', '9.9.9.9', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0',
  '126.255.255.255', '128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255',
  '192.0.1.0', '192.0.3.0', '192.31.196.1', '192.52.193.1', '192.88.98.1', '192.88.100.1', '192.167.255.255',
  '192.169.0.0', '192.175.48.1', '198.17.255.255', '198.20.0.0', '198.51.99.1', '198.51.101.1', '203.0.112.1',
  '203.0.114.1', '223.255.255.255', '168.63.129.15', '168.63.129.17', '2606:4700::1111', '2606:4700:4700::1001',
  '2001:4860:4860::8888', '2001:200::1', '2001:db7:ffff::1', '2001:db9::1', '2003::1', '2400:cb00::1', '2620:4f:8000::1',
  '2620:fe::fe', '2a00:1450:4001:830::200e', '2c00::1', '3ffe::1', '3fff:1000::1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8',
  '2606:4700::5efe:8.8.8.8',
];

// biome-ignore format: one form after the other
const PUBLIC_URLS = [
  'http://example.com/', 'https://www.example.com:8443/a?b=c#d', 'https://example.com./', 'http://134744072/',
  'http://0x8.8.8.8/', 'http://010.8.8.8/', 'http://8.8.2056/', 'https://[2606:4700::1111]/', 'https://[::ffff:808:808]/',
  'https://[64:ff9b::808:808]/', 'https://bücher.example/', 'https://localhost.example.com/', 'https://internal.example.com/',
  'https://local.example.com/', 'https://mylocalhost.com/', 'https://notlocal.dev/', 'https://homelan.com/', 'https://a_b.example.com/',
  'https://127.0.0.1.example.com/', 'https://10.example.com/', 'https://fd00.example.com/', 'https://metadata.example.com/',
  'https://arpa.example.com/', 'https://fe80--1.example.com/', 'https://tencentyun.com/', 'https://corp.com/', 'https://lan.org/',
];

export const ADDRESS_FORMS: readonly string[] = [
  ...[...ADDRESSES, ...NAMES].map((host) => `http://${host}/`),
  ...WHOLE,
];
export const NO_URL_FORMS: readonly string[] = NO_URL;
export const USER_FORMS: readonly string[] = USERS;
export const SCHEME_FORMS: readonly string[] = SCHEMES;
export const PUBLIC_FORMS = { addresses: PUBLIC_ADDRESSES, urls: PUBLIC_URLS } as const;
