import { Failure, invalidArgument, unavailable } from '@covalence/contract/failure';
import { failCodes } from '@covalence/contract/failure-codes';
import { createPublicAgents, isNotPublic, type PublicAgentOptions } from '@covalence/http/public-agents';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';

/** Fetches images from addresses that members send. */
export type ImageFetcher = ReturnType<typeof createImageFetcher>;

interface ImageFetcherOptions extends PublicAgentOptions {
  readonly maxBytes: number;
  readonly timeoutMs?: number;
  /** Parallel fetches; further ones are refused with 503. */
  readonly concurrency?: number;
}

const redirectLimit = 3;
const redirects = new Set([301, 302, 303, 307, 308]);
const longestAddress = 2_048;

const notAllowed = () => invalidArgument(failCodes.imageMissing);
const notFetched = () => invalidArgument(failCodes.imageUnprocessable);

function parseAddress(address: string, base?: URL): URL {
  if (address.length > longestAddress || !URL.canParse(address, base?.href)) throw notAllowed();
  const url = new URL(address, base);
  const isPlain = !url.username && !url.password;
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) throw notAllowed();
  return url;
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes)
    throw invalidArgument(failCodes.imageTooLarge);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw invalidArgument(failCodes.imageTooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Creates the fetcher. It checks the resolved address of every connection. */
export function createImageFetcher({
  maxBytes,
  timeoutMs = 10_000,
  concurrency = 16,
  ...who
}: ImageFetcherOptions) {
  const agents = createPublicAgents(who);
  let underWay = 0;

  const open = (url: URL, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { Accept: 'image/*', 'User-Agent': 'Covalence' };
      const request =
        url.protocol === 'https:'
          ? https.get(url, { agent: agents['https:'], headers, signal }, resolve)
          : http.get(url, { agent: agents['http:'], headers, signal }, resolve);
      request.once('error', reject);
    });

  const follow = async (first: URL, signal: AbortSignal): Promise<Buffer> => {
    let url = first;
    for (let hop = 0; hop <= redirectLimit; hop += 1) {
      const response = await open(url, signal);
      const { statusCode = 0, headers } = response;
      try {
        if (statusCode === 200) return await readBody(response, maxBytes);
        if (!redirects.has(statusCode) || !headers.location) throw notFetched();
        url = parseAddress(headers.location, url);
      } finally {
        response.destroy();
      }
    }
    throw notFetched();
  };

  return {
    /**
     * Fetches an image. Throws 11201 for an address that may not be fetched (other scheme, credentials, or not public,
     * also after a redirect), 11204 where the fetch fails, 11205 over the limit.
     */
    async fetch(address: string): Promise<Buffer> {
      const url = parseAddress(address);
      if (underWay >= concurrency) throw unavailable(new Error('too many images fetched at once'));
      underWay += 1;
      try {
        return await follow(url, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        if (isNotPublic(error)) throw notAllowed();
        if (error instanceof Failure) throw error;
        throw notFetched();
      } finally {
        underWay -= 1;
      }
    },
  };
}
