import type { Clock } from '@covalence/runtime/clock';
import { codeOf, serviceFailure, type PushResult, type Transport } from './transport.ts';

/** Options of both app transports. */
export interface AppTransportOptions {
  readonly clock: Clock;
  readonly timeoutMs?: number;
  /** An additional trusted certificate, PEM. */
  readonly ca?: string | undefined;
}

/** The source of the tokens that identify an app to its push service. */
export interface TokenSource {
  /** The current token. A `refused` one is replaced, unless another call has done so. */
  get(refused?: string): Promise<string>;
}

/** The result of a request with a token, and whether the push service refused the token. */
interface Answered {
  readonly result: PushResult;
  readonly isTokenRefused: boolean;
}

/** Sends a request with the current token. If the push service refuses the token, repeats the request once with a new one. */
export async function postWithToken(
  tokens: TokenSource,
  post: (token: string) => Promise<Answered>,
): Promise<PushResult> {
  const used = await tokens.get();
  const { result, isTokenRefused } = await post(used);
  return isTokenRefused ? (await post(await tokens.get(used))).result : result;
}

/** Creates a transport from an attempt. An error of the attempt is a failure of the push service. */
export const createAppTransport = (attempt: Transport['send'], close: () => void): Transport => ({
  async send(device, content, signal) {
    try {
      return await attempt(device, content, signal);
    } catch (error) {
      return serviceFailure(codeOf(error));
    }
  },
  close,
});
