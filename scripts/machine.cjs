/**
 * What must be so before anything else is loaded, from a clone and in the published package alike. CommonJS, because
 * Node reads ES modules on the very threads that are counted here: once they run, it is too late.
 */
// names are looked up, and answers unpacked, on threads that half a dozen slow name servers would otherwise use up
if (!process.env.UV_THREADPOOL_SIZE) process.env.UV_THREADPOOL_SIZE = '16';

const wanted = require('../package.json').engines.node.replace('>=', '');
const [major, minor] = wanted.split('.').map(Number);
const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
if (ourMajor < major || (ourMajor === major && ourMinor < minor)) {
  console.error(`trawl: Node.js ${wanted} or newer is needed, this is ${process.versions.node}`);
  process.exit(1);
}

process.setSourceMapsEnabled(true);
