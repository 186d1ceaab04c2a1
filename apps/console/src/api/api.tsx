import type { components } from '@covalence/client/api';
import type { CovalenceClient } from '@covalence/client/client';
import { RecentSignInRequired, SignedOut } from '@covalence/client/session';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createContext, use } from 'react';

type Failure = components['schemas']['Failure'];

/** A part of an input that was refused. */
export type PartProblem = components['schemas']['FailureProblem'];

/** A refusal of the API: its status, and what its body says. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly failure: Partial<Failure>;

  /** `requestId` is the name of the request in the logs. */
  constructor(status: number, failure: Partial<Failure> = {}, requestId: string | null = null) {
    const { fail = '', failcode = [] } = failure;
    super(
      [[status, fail, failcode.join(', ')].filter(Boolean).join(' '), requestId].filter(Boolean).join(' · '),
    );
    this.status = status;
    this.failure = failure;
  }

  /** Whether the account lacks the role; other refusals are 403 too. */
  get isForbidden(): boolean {
    return this.status === 403 && this.failure.fail === 'Forbidden';
  }
}

/** The data of an answer; throws Refused for any other. */
export async function dataOf<Data>(
  call: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new Refused(response.status, error ?? {}, response.headers.get('X-Request-Id'));
  return data as Data;
}

const ApiContext = createContext<CovalenceClient | undefined>(undefined);

/** Gives the pages below the client of the API. */
export const ApiProvider = ApiContext.Provider;

/** The client of the API. */
export function useApi(): CovalenceClient {
  const api = use(ApiContext);
  if (!api) throw new Error('there is no ApiProvider above');
  return api;
}

const mostRetries = 2;

/** A failure that may pass: no answer, too many requests, or a service that is down. */
const mayPass = (error: Error): boolean =>
  error instanceof Refused
    ? error.status === 429 || error.status >= 500
    : !(error instanceof SignedOut || error instanceof RecentSignInRequired);

/** Creates the cache of the API's answers. Calls `renew` when a call needs a more recent sign-in. */
export function createQueries(renew: (maxAge: number) => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof RecentSignInRequired) renew(error.maxAge);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // A decision is made now or not at all: not minutes later, when the network is back.
      mutations: { networkMode: 'always' },
      queries: { staleTime: 10_000, retry: (count, error) => count < mostRetries && mayPass(error) },
    },
  });
}
