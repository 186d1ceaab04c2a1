/** The body of a GET with the credentials of the address. Rejects on an error status or after 3 s. */
export async function askElasticsearch(address: string, path: string): Promise<string> {
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
