import { Failure } from '@covalence/contract/failure';
import { currentRequestId } from '@covalence/runtime/request-context';
import { inStep, traceHeaders } from '@covalence/runtime/tracing';
import { z } from 'zod';

/** A service that another one calls under /internal. */
export interface Peer {
  /**
   * POSTs JSON and checks the answer. A 4xx of the peer is thrown as the same Failure, so that codes pass through;
   * no answer, a late one or a 5xx throws PeerUnavailable, which answers 503.
   */
  call<Output>(path: string, body: unknown, output: z.ZodType<Output>): Promise<Output>;
}

/** A peer that cannot be reached or does not answer in time. */
class PeerUnavailable extends Error {
  constructor(path: string, cause: unknown) {
    super(`no answer from ${path}`, { cause });
    this.name = 'PeerUnavailable';
  }
}

const failureBody = z.object({ fail: z.string(), failcode: z.array(z.int()).optional() });

async function refusal(path: string, response: Response): Promise<Error> {
  const body = failureBody.safeParse(await response.json().catch(() => undefined));
  const passes = response.status < 500 && response.status !== 401 && body.success;
  if (!passes) return new PeerUnavailable(path, new Error(`status ${response.status}`));
  return new Failure(response.status, body.data.fail, { failcode: body.data.failcode ?? [] });
}

/** Creates the client of a peer; calls carry the service secret and the request id, and end after `timeoutMs`. */
export function createPeer(options: { url: string; secret: string; timeoutMs?: number }): Peer {
  const { url, secret, timeoutMs = 5_000 } = options;
  const send = async (path: string, body: unknown): Promise<unknown> => {
    const id = currentRequestId();
    const away = (error: unknown): never => {
      throw new PeerUnavailable(path, error);
    };
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${secret}`,
        ...(id && { 'X-Request-Id': id }),
        ...traceHeaders(),
      },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(away);
    if (!response.ok) throw await refusal(path, response);
    // The peer may end in the middle of its answer; what came whole and is no JSON is a defect.
    return JSON.parse(await response.text().catch(away));
  };
  return {
    call: (path, body, output) =>
      inStep(
        {
          name: `POST ${path}`,
          kind: 'client',
          attributes: { 'http.request.method': 'POST', 'url.path': path },
        },
        async () => output.parse(await send(path, body)),
      ),
  };
}
