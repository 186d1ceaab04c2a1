import { CommandError } from '@covalence/runtime/command-error';
import { firstAnswer } from '@covalence/runtime/first-answer';
import { hostsOf } from '@covalence/runtime/host-urls';

interface CallOptions {
  readonly method?: string;
  readonly limitMs?: number;
}

/** The body of a call, of the first host that answers, with the credentials of the address. */
export const askElasticsearch = (address: string, path: string, options: CallOptions = {}): Promise<string> =>
  firstAnswer(hostsOf(address), (host) => askHost(host, path, options));

/** Rejects on an error status or after the limit. */
async function askHost(
  address: string,
  path: string,
  { method = 'GET', limitMs = 2_900 }: CallOptions,
): Promise<string> {
  const url = new URL(path, address.endsWith('/') ? address : `${address}/`);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    url.username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  url.username = '';
  url.password = '';
  const response = await fetch(url, { method, headers, signal: AbortSignal.timeout(limitMs) });
  const body = await response.text();
  if (!response.ok) throw new CommandError(`Elasticsearch answers ${response.status} to ${method} /${path}.`);
  return body;
}
