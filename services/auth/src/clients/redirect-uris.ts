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
 * Whether a client may come back to this address: of an app, or of the web over TLS, http being for a program that listens on
 * its own machine alone (RFC 9700, 2.6), and without a fragment (RFC 6749, 3.1.2).
 */
export function isAcceptable(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  const isOpen = protocol === 'http:' && !loopback.test(hostname);
  return !unfit.has(protocol) && !isOpen && !uri.includes('#');
}
