import { hostUrls } from './host-urls.ts';

/** A server or Sentinel. */
interface Host {
  readonly host: string;
  readonly port: number;
}

/** User and password. */
interface Login {
  readonly username?: string;
  readonly password?: string;
}

/** A parsed address of Redis: one server, nodes that a cluster is found by, or Sentinels and their name of the primary. */
export type RedisAddress =
  | { readonly form: 'server'; readonly url: string }
  | {
      readonly form: 'cluster';
      readonly nodes: readonly Host[];
      readonly login: Login;
      readonly isEncrypted: boolean;
    }
  | {
      readonly form: 'sentinel';
      readonly sentinels: readonly Host[];
      readonly name: string;
      readonly login: Login;
      /** Of the Sentinels, in the query: `?sentinel_user=…&sentinel_password=…`. */
      readonly sentinelLogin: Login;
      readonly isEncrypted: boolean;
    };

const schemes = /^redis(s?):$|^redis(s?)\+(cluster|sentinel):$/;

const sentinelSettings = ['sentinel_user', 'sentinel_password'];

const loginOf = (username: string | null, password: string | null): Login => ({
  ...(username && { username }),
  ...(password && { password }),
});

const hostsOf = (urls: readonly URL[], port: number): Host[] =>
  urls.map((url) => ({ host: url.hostname.replaceAll(/^\[|\]$/g, ''), port: Number(url.port) || port }));

/** Reads `redis://`, `redis+cluster://` and `redis+sentinel://…/name`, also with `rediss` for TLS. Undefined for another address. */
export function readRedisAddress(address: string): RedisAddress | undefined {
  const texts = hostUrls(address);
  const urls = texts?.map((text) => new URL(text));
  const url = urls?.[0];
  const [, , encrypted = '', form] = (url && schemes.exec(url.protocol)) ?? [];
  if (!urls || !url) return undefined;
  const isEncrypted = encrypted !== '';
  const { username, password, pathname, search, hash } = url;
  // Not a form: a plus in a password is no space.
  const searchParams = new URLSearchParams(search.replaceAll('+', '%2B'));
  if (form === undefined)
    return schemes.test(url.protocol) && urls.length === 1 ? { form: 'server', url: address } : undefined;
  if (hash !== '' || !isDecodable(username) || !isDecodable(password)) return undefined;
  const login = loginOf(decodeURIComponent(username), decodeURIComponent(password));
  const name = pathname.slice(1);
  const settings = [...searchParams.keys()];
  if (form === 'cluster') {
    // A cluster has no numbered databases.
    if (name !== '' || settings.length) return undefined;
    return { form, nodes: hostsOf(urls, 6379), login, isEncrypted };
  }
  if (!/^[\w.-]+$/.test(name) || !settings.every((each) => sentinelSettings.includes(each))) return undefined;
  const sentinelLogin = loginOf(searchParams.get('sentinel_user'), searchParams.get('sentinel_password'));
  return { form: 'sentinel', sentinels: hostsOf(urls, 26379), name, login, sentinelLogin, isEncrypted };
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
