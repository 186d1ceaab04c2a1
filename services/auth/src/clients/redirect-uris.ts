/** Schemes that a browser runs or reads itself, or opens in a program that is no client application. */
const unsafe = new Set([
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

/** Whether another program on the device can receive this redirect (RFC 8252, 8.6). */
export function isOnDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' || loopback.test(hostname);
}

/** Whether a redirect URI is allowed: encrypted, loopback or of an app (RFC 9700, 2.6), without a fragment. */
export function isAllowedRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  const isUnencrypted = protocol === 'http:' && !loopback.test(hostname);
  return !unsafe.has(protocol) && !isUnencrypted && !uri.includes('#');
}
