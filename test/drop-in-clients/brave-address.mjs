// Brave's server has no setting for the address: this program, loaded before it, sends its requests
// to BRAVE_ADDRESS.
const original = globalThis.fetch;
globalThis.fetch = (address, options) =>
  original(
    String(address).replace('https://api.search.brave.com', process.env.BRAVE_ADDRESS),
    options,
  );
