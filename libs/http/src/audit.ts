import { Failure } from '@covalence/contract/failure';
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
  /** Ids of what the call is about: members, photo, report. */
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

/** Whether calls of a route are written: those that change something, or open members, photos or reports. */
const isAudited = (route: string, staff: NonNullable<AnyEndpoint<never>['staff']>): boolean =>
  !route.startsWith('GET ') || route.includes(':') || staff.shows !== undefined;

/** Writes the calls of one endpoint to the audit log; undefined where none is written. Throws where staff would act unrecorded. */
export function auditOf<Context>(
  route: string,
  { access, staff }: AnyEndpoint<Context>,
  { audit, logger }: { readonly audit?: Audit; readonly logger: Logger },
) {
  if (access !== 'staff') return undefined;
  if (!staff || !audit)
    throw new Error(`${route} has access 'staff': it needs the roles that may call it, and the option audit`);
  if (!isAudited(route, staff)) return undefined;
  const entryOf = (
    { params }: Request,
    caller: Caller | undefined,
    more: readonly (string | number)[] = [],
  ) => ({
    staff: caller?.memberId ?? '',
    call: route,
    about: [...new Set([...Object.values(params).flat(), ...more].map(String))],
  });
  /** The ids that the call names beside those in the path; none where it names something unknown, which the call then answers. */
  const aboutOf = async (input: unknown, context: Context) => {
    try {
      return (await staff.about?.(input, context)) ?? [];
    } catch (error) {
      if (error instanceof Failure) return [];
      throw error;
    }
  };
  /** Writes what became of a call. Without an entry its answer is the same. */
  const noteStatus = (entry: Omit<StaffCall, 'status'>, status: number) =>
    audit({ ...entry, status }).catch((problem: unknown) => {
      logger.warn({ err: problem }, 'writing an outcome to the audit log failed');
    });
  const refuse = (request: Request, caller: Caller | undefined, error: unknown) =>
    noteStatus(entryOf(request, caller), statusOf(error));
  return {
    refuse,
    /**
     * Writes a call before it runs, and again before its answer is sent where that shows others. A GET that may show members is only
     * written with them, so that one that shows nobody does not depend on the audit log. A call that cannot be written fails.
     */
    async runAudited<Output>({
      request,
      caller,
      input,
      context,
      run,
    }: AuditedCall<Context, Output>): Promise<Output> {
      const about = await aboutOf(input, context);
      const entry = entryOf(request, caller, about);
      const isWrittenFirst = !staff.shows || !route.startsWith('GET ');
      if (isWrittenFirst) await audit(entry);
      const answer = await run().catch(async (error: unknown) => {
        await noteStatus(entry, statusOf(error));
        throw error;
      });
      if (staff.shows) {
        const whole = entryOf(request, caller, [...about, ...staff.shows(answer)]);
        if (whole.about.length > (isWrittenFirst ? entry.about.length : 0)) await audit(whole);
      }
      if (answer instanceof Accepted) await noteStatus(entry, acceptedStatus);
      return answer;
    },
  };
}
