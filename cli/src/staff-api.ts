import { Failure } from '@covalence/contract/failure';
import { failureBody } from '@covalence/http/peer';
import type { z } from 'zod';
import { ServiceUnavailable, CommandError } from '@covalence/runtime/command-error';
import type { OperatedService, Reach } from './service-target.ts';

/** A client of the /staff endpoints for a staff account. Throws a refusal as its Failure. */
export interface StaffApi {
  get<Output>(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    output: z.ZodType<Output>,
  ): Promise<Output>;
  post<Output>(path: string, body: object, output: z.ZodType<Output>): Promise<Output>;
  delete<Output>(path: string, output: z.ZodType<Output>): Promise<Output>;
}

const timeoutMs = 30_000;

/** The named account, else the only enabled one. */
async function accountFor(reach: Reach, named: string | undefined): Promise<string> {
  if (named !== undefined) return named;
  const { staff } = await reach('auth').peer.listStaff({});
  const [only, ...others] = staff.filter(({ disabled }) => !disabled);
  if (only && !others.length) return only.username;
  throw new CommandError(
    only
      ? 'There are several staff accounts: choose one with --as <username>.'
      : 'There is no staff account yet: add one with covalence staff add <username>.',
  );
}

async function tokenOf(reach: Reach, username: string): Promise<string> {
  try {
    const answer = await reach('auth').peer.issueStaffToken({ username });
    return answer.access_token;
  } catch (error) {
    if (!(error instanceof Failure && error.status === 404)) throw error;
    throw new CommandError(
      `There is no staff account ${username}, or it is disabled: see covalence staff list.`,
    );
  }
}

async function refusal(response: Response, service: string, url: string): Promise<Error> {
  if (response.status === 401) {
    return new CommandError(
      `The ${service} service at ${url} rejects tokens of this auth service. Do both belong to one system?`,
    );
  }
  if (response.status >= 500) {
    return new ServiceUnavailable(
      `The ${service} service at ${url} cannot do this now (status ${response.status}); its log says why.`,
    );
  }
  const body = failureBody.safeParse(await response.json().catch(() => undefined));
  const { fail = response.statusText, failcode = [] } = body.data ?? {};
  return new Failure(response.status, fail, { failcode });
}

/** Creates a client of a service for the named staff account, else for the only enabled one. */
export async function openStaffApi(
  reach: Reach,
  named: string | undefined,
  service: OperatedService = 'profile',
): Promise<StaffApi> {
  const { url } = reach(service);
  const token = await tokenOf(reach, await accountFor(reach, named));
  const call = async <Output>(
    path: string,
    init: RequestInit,
    output: z.ZodType<Output>,
  ): Promise<Output> => {
    const response = await fetch(new URL(path, url), {
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {
      throw new ServiceUnavailable(`The ${service} service at ${url} does not answer. Is it running?`);
    });
    if (!response.ok) throw await refusal(response, service, url);
    return output.parse(await response.json());
  };
  return {
    get(path, query, output) {
      const given = Object.entries(query).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      return call(`${path}?${new URLSearchParams(given).toString()}`, { method: 'GET' }, output);
    },
    post: (path, body, output) => call(path, { method: 'POST', body: JSON.stringify(body) }, output),
    delete: (path, output) => call(path, { method: 'DELETE' }, output),
  };
}
