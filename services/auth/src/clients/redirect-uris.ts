/** Schemes that a browser would run or read itself, or hand to something that is no client application. */
const unfit = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'ftp:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'ws:',
  'wss:',
]);

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Whether another program on the member's device could take this address for itself: a scheme of an app, or a port of the
 * device (RFC 8252, 8.6).
 */
export function isOfDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' || loopback.test(hostname);
}

/**
 * Whether a client may come back to this address: of an app, or of the web over TLS, http being for a program that listens on
 * its own machine alone (RFC 9700, 2.6), and without a fragment (RFC 6749, 3.1.2).
 */
export function isAcceptable(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  const isOpen = protocol === 'http:' && !loopback.test(hostname);
  return !unfit.has(protocol) && !isOpen && !uri.includes('#');
}
