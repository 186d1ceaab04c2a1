/** Scheme with slashes, credentials with `@`, hosts, and the rest from the path on. */
const form = /^([a-z][a-z\d+.-]*:\/\/)(?:([^/?#\s]*)@)?([^/?#@\s]+)((?:[/?#]\S*)?)$/i;

const isHost = (text: string) => !text.endsWith(':') && URL.canParse(`http://${text}`);

/**
 * One URL for each host of an address like `amqp://user:password@a:5672,b:5672/vhost`: hosts by commas, everything else once, for
 * all of them. Undefined for another text, and if a host is named twice.
 */
export function hostUrls(address: string): [string, ...string[]] | undefined {
  const [, scheme, credentials, names = '', rest = ''] = form.exec(address) ?? [];
  // Credentials of a second host would be read as part of the password.
  if (scheme === undefined || (credentials?.includes('@') && credentials.includes(','))) return undefined;
  const [first = '', ...others] = names.split(',');
  const hosts = [first, ...others];
  const areDistinct = new Set(hosts.map((host) => host.toLowerCase())).size === hosts.length;
  const urlOf = (host: string) =>
    `${scheme}${credentials === undefined ? '' : `${credentials}@`}${host}${rest}`;
  const isUsable = areDistinct && hosts.every((host) => isHost(host) && URL.canParse(urlOf(host)));
  return isUsable ? [urlOf(first), ...others.map(urlOf)] : undefined;
}

/** The same of an address that was validated; another one is left as it is, for the client to refuse. */
export const hostsOf = (address: string): [string, ...string[]] => hostUrls(address) ?? [address];

/** The address with the hosts of several URLs that differ in nothing else: the opposite of `hostUrls`. */
export function joinHosts(urls: readonly string[]): string {
  const [first = ''] = urls;
  return first.replace(new URL(first).host, urls.map((url) => new URL(url).host).join(','));
}
