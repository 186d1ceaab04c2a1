import type { Logger } from '@covalence/runtime/logger';
import type { Request } from 'express';
import { Accepted } from './accepted.ts';
import type { AnyEndpoint, Caller } from './endpoint.ts';
import { asFailure } from './errors.ts';

/** A call of staff, as the audit log keeps it. */
export interface StaffCall {
  /** UUID of the staff account. */
  readonly staff: string;
  /** Method and path of the endpoint, e.g. `POST /staff/members/:id/approve`. */
  readonly call: string;
  /** Ids of what the call is about: member, photo, report. */
  readonly about: readonly string[];
  /** The status of a refusal or failure, or 202 of a call that waits; without one the call was allowed, and ran. */
  readonly status?: number;
}

const acceptedStatus = 202;

const statusOf = (error: unknown): number => asFailure(error)?.status ?? 500;

/** Writes a call to the audit log. Throws when it cannot. */
export type Audit = (call: StaffCall) => Promise<unknown>;

interface AuditedCall<Context, Output> {
  readonly request: Request;
  readonly caller: Caller | undefined;
  readonly input: unknown;
  readonly context: Context;
  readonly run: () => Promise<Output>;
}

/** Whether calls of a route are written: those that change something, or open one member, photo or report. */
const isAudited = (route: string): boolean => !route.startsWith('GET ') || route.includes(':');

/** Writes the calls of one endpoint to the audit log; undefined where none is written. Throws where staff would act unrecorded. */
export function auditOf<Context>(
  route: string,
  { access, staff }: AnyEndpoint<Context>,
  { audit, logger }: { readonly audit?: Audit; readonly logger: Logger },
) {
  if (access !== 'staff') return undefined;
  if (!staff || !audit)
    throw new Error(`${route} has access 'staff': it needs the roles that may call it, and the option audit`);
  if (!isAudited(route)) return undefined;
  const entryOf = ({ params }: Request, caller: Caller | undefined, more: readonly string[] = []) => ({
    staff: caller?.memberId ?? '',
    call: route,
    about: [...Object.values(params).flat(), ...more],
  });
  /** Writes what became of a call. Without an entry its answer is the same. */
  const noteStatus = (entry: Omit<StaffCall, 'status'>, status: number) =>
    audit({ ...entry, status }).catch((problem: unknown) => {
      logger.warn({ err: problem }, 'writing an outcome to the audit log failed');
    });
  const refuse = (request: Request, caller: Caller | undefined, error: unknown) =>
    noteStatus(entryOf(request, caller), statusOf(error));
  return {
    refuse,
    /** Runs a call after it is written: one that cannot be written does not run. */
    async around<Output>({
      request,
      caller,
      input,
      context,
      run,
    }: AuditedCall<Context, Output>): Promise<Output> {
      const entry = entryOf(request, caller, await staff.about?.(input, context));
      await audit(entry);
      try {
        const answer = await run();
        if (answer instanceof Accepted) await noteStatus(entry, acceptedStatus);
        return answer;
      } catch (error) {
        await noteStatus(entry, statusOf(error));
        throw error;
      }
    },
  };
}
