import { errorText } from '@covalence/runtime/error-text';

/** A provider's answer that proves nothing: forged, expired, or for somebody else. */
export class IdentityRefusedError extends Error {}

/** A provider that does not answer in time. */
export class ProviderAwayError extends Error {
  /** isUnavailableError() knows it. */
  override readonly name = 'PeerUnavailable';
}

/** Time for an answer of a provider: somebody waits for the page. */
export const answerSeconds = 5;

const codesOfAway = new Set(['OAUTH_TIMEOUT', 'ERR_JWKS_TIMEOUT']);

/** Whether a failed request means that the provider is unavailable: timeout, no connection, or a server error. */
function isAway(error: unknown): boolean {
  const { code, cause, name } = error as { code?: string; cause?: unknown; name?: string };
  if (codesOfAway.has(code ?? '') || name === 'TimeoutError' || error instanceof ProviderAwayError)
    return true;
  return cause !== undefined && isAway(cause);
}

/** Longest accepted answer, decompressed. */
const maxAnswerBytes = 256 * 1024;

/** Fails a body that is longer than accepted. */
function limitedBody(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.byteLength;
      if (length > maxAnswerBytes)
        controller.error(new IdentityRefusedError('the answer of a provider is too long'));
      else controller.enqueue(chunk);
    },
  });
}

/** Fetches with limits on time and length and without redirects; a server error counts as unavailable. */
export const limitedFetch = async (url: string, options: object): Promise<Response> => {
  const signal = AbortSignal.timeout(answerSeconds * 1000);
  const answer = await fetch(url, { ...options, redirect: 'error', signal }).catch((cause: unknown) => {
    throw new ProviderAwayError('a provider cannot be reached', { cause });
  });
  if (answer.status >= 500) throw new ProviderAwayError(`a provider answered ${answer.status}`);
  return new Response(answer.body?.pipeThrough(limitedBody()), answer);
};

/** Runs requests and checks of a provider; throws IdentityRefusedError or ProviderAwayError. */
export async function checked<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IdentityRefusedError) throw error;
    throw isAway(error)
      ? new ProviderAwayError('a provider is unavailable', { cause: error })
      : new IdentityRefusedError(errorText(error), { cause: error });
  }
}
