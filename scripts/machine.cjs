/**
 * Settings that must be made before anything else is loaded, in a clone and in the published
 * package. CommonJS, because Node reads ES modules on the threads whose number is set here: once
 * they run, it is too late.
 */
// DNS lookups and decompression share these threads: a few slow name servers would otherwise occupy
// all of them
if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = '16';

const wanted = require('../package.json').engines.node.replace('>=', '');
const [major, minor] = wanted.split('.').map(Number);
const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
  console.error(`trawl: Node.js ${wanted} or newer is needed, this is ${process.versions.node}`);
  process.exit(1);
}
