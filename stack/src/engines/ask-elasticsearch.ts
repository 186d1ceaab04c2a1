import { firstAnswer } from '@covalence/runtime/first-answer';
import { hostsOf } from '@covalence/runtime/host-urls';

/** The body of a GET, of the first host that answers, with the credentials of the address. */
export const askElasticsearch = (address: string, path: string): Promise<string> =>
  firstAnswer(hostsOf(address), (host) => askHost(host, path));

/** Rejects on an error status or after 3 s. */
async function askHost(address: string, path: string): Promise<string> {
  const url = new URL(path, address.endsWith('/') ? address : `${address}/`);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    url.username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  url.username = '';
  url.password = '';
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_900) });
  const body = await response.text();
  if (!response.ok) throw new Error(`it answers ${response.status}`);
  return body;
}
