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

/** An http address on a loopback IP literal: its host, and what follows the port. */
const loopbackLiteral = /^http:\/\/(?<host>127\.0\.0\.1|\[::1\])(?::(?<port>[1-9]\d{0,4}))?(?<rest>[/?].*)?$/;

/** Whether another program on the device can receive this redirect (RFC 8252, 8.6). */
export function isOnDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' || loopback.test(hostname);
}

/**
 * Why an address cannot be registered as redirect URI; undefined if it can. It is encrypted, loopback, or of an app
 * whose private-use scheme is a reversed domain name (RFC 9700, 2.6; RFC 8252, 7.1).
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (!URL.canParse(uri)) return 'is not an absolute address';
  const { href, protocol, hostname, port, username, password } = new URL(uri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (uri.includes('#')) return 'has a fragment, which no code may stand behind';
  if (uri.includes('*')) return 'has a wildcard: addresses are compared exactly, so register each one';
  if (username || password) return 'has a username or password';
  if (unsafe.has(protocol)) return `has the scheme ${protocol}, which belongs to no app`;
  if (port === '0') return 'has the port 0';
  if (protocol === 'http:' && !loopback.test(hostname))
    return 'is not encrypted: http is for 127.0.0.1, [::1] and localhost';
  if (!isWeb && !protocol.includes('.'))
    return 'has a scheme without a dot: use a domain of yours in reverse, such as com.example.app:/callback';
  // An app may send what its URL class makes of the address, and addresses are compared exactly.
  if (href !== uri && href !== `${uri}/`) return `must be written as ${href}`;
  return undefined;
}

/** The origins of the pages that redirect URIs lead to; those of apps have none. */
export const originsOf = (uris: readonly string[]): string[] =>
  uris.map((uri) => new URL(uri).origin).filter((origin) => origin !== 'null');

/**
 * Whether a client may be redirected to an address: a registered one and, for a public client, a registered address of
 * 127.0.0.1 or [::1] with any port, because a native app listens on whichever is free (RFC 8252, 7.3).
 */
export function isRegisteredRedirect(uri: string, registered: readonly string[], isPublic: boolean): boolean {
  if (registered.includes(uri)) return true;
  const sought = isPublic ? loopbackLiteral.exec(uri)?.groups : undefined;
  if (!sought || Number(sought['port'] ?? 80) > 65_535) return false;
  return registered.some((one) => {
    const known = loopbackLiteral.exec(one)?.groups;
    return known?.['host'] === sought['host'] && known?.['rest'] === sought['rest'];
  });
}
