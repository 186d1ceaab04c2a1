import type { components, paths } from '@covalence/client/api';
import { Failure } from '@covalence/contract/failure';
import { failureBody } from '@covalence/http/peer';
import { CommandError } from '@covalence/runtime/command-error';
import createFetchClient, { type Client } from 'openapi-fetch';
import { unavailable, type OperatedService, type Reach } from '../service-target.ts';

/** The schemas of the OpenAPI document by name. */
export type Schemas = components['schemas'];

/** Input as a person types it. The service reads numbers from their digits, and rejects what it does not know. */
type AsTyped<Input> = Input extends string | number | boolean
  ? Input | string
  : { [Key in keyof Input]: AsTyped<Input[Key]> };

type Operation<Declared> = {
  [Part in keyof Declared]: Part extends 'responses' ? Declared[Part] : AsTyped<Declared[Part]>;
};

type StaffPaths = {
  [Path in keyof paths as Extract<Path, `/staff/${string}`>]: {
    [Method in keyof paths[Path]]: Operation<paths[Path][Method]>;
  };
};

/** A client of the /staff endpoints for a staff account. It throws a refusal as its Failure. */
export type StaffClient = Client<StaffPaths>;

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

/** Throws unless a service answers a call with JSON. */
async function requireAnswer(response: Response, service: OperatedService, url: string): Promise<void> {
  const { status, statusText } = response;
  if (status === 401) {
    throw new CommandError(
      `The ${service} service at ${url} rejects tokens of this auth service. Do both belong to one system?`,
    );
  }
  if (status >= 500) throw unavailable(service, url, `status ${status}`);
  if (!response.ok) {
    const body = failureBody.safeParse(await response.json().catch(() => undefined));
    const { fail = statusText, failcode = [], problems = [] } = body.data ?? {};
    throw new Failure(status, fail, { failcode, problems });
  }
  if (!response.headers.get('Content-Type')?.startsWith('application/json'))
    throw new CommandError(`${url} does not answer as the ${service} service does. Is the address right?`);
}

/** Creates a client of a service for the named staff account, else for the only enabled one. */
export async function openStaffClient(
  reach: Reach,
  named: string | undefined,
  service: OperatedService,
): Promise<StaffClient> {
  const { url } = reach(service);
  const token = await tokenOf(reach, await accountFor(reach, named));
  return createFetchClient<StaffPaths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${token}` },
    redirect: 'error',
    async fetch(request) {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetch(request, { signal }).catch(() => {
        throw unavailable(service, url);
      });
      await requireAnswer(response, service, url);
      return response;
    },
  });
}

/** The data of an answer. The client has thrown where it is none. */
export async function dataOf<Data>(call: Promise<{ readonly data?: Data }>): Promise<Data> {
  const { data } = await call;
  return data as Data;
}
