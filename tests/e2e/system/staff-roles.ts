import { everySite, staffRoles, type StaffRole } from '@covalence/contract/staff-roles';
import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { as } from '../support/members.ts';
import type { System } from '../support/system.ts';

/** Every call of staff, and the roles that may make it beside `admin`. */
const rolesOfCalls: Readonly<Record<string, readonly StaffRole[]>> = {
  'GET /staff/queue': ['moderator'],
  'GET /staff/reasons': ['moderator'],
  'GET /staff/queue/summary': ['moderator'],
  'POST /staff/queue/claim': ['moderator'],
  'POST /staff/queue/release': ['moderator'],
  'POST /staff/queue/decide': ['moderator'],
  'POST /staff/members/search': ['moderator', 'support'],
  'GET /staff/members/{id}': ['moderator', 'support'],
  'GET /staff/members/{id}/history': ['moderator', 'support'],
  'GET /staff/members/{id}/notes': ['moderator', 'support'],
  'POST /staff/members/{id}/notes': ['moderator', 'support'],
  'GET /staff/members/{id}/evidence': ['moderator'],
  'GET /staff/evidence/{evidenceid}': ['moderator'],
  'POST /staff/members/{id}/approve': ['moderator'],
  'POST /staff/members/{id}/reject': ['moderator'],
  'POST /staff/members/{id}/suspend': ['moderator'],
  'POST /staff/members/{id}/unsuspend': ['moderator'],
  'POST /staff/members/{id}/delete': ['moderator'],
  'POST /staff/members/{id}/undelete': ['moderator'],
  'POST /staff/members/{id}/dismiss-signals': ['moderator'],
  'POST /staff/members/{id}/texts/{field}/approve': ['moderator'],
  'POST /staff/members/{id}/texts/{field}/reject': ['moderator'],
  'POST /staff/photos/{photoid}/approve': ['moderator'],
  'POST /staff/photos/{photoid}/reject': ['moderator'],
  'POST /staff/reports/{reportid}/close': ['moderator'],
  'POST /staff/decisions/{decisionid}/undo': ['moderator'],
  'GET /staff/appeals': ['moderator'],
  'POST /staff/appeals/{appealid}/grant': ['moderator'],
  'POST /staff/appeals/{appealid}/refuse': ['moderator'],
  'GET /staff/transparency': ['moderator', 'operator'],
  'GET /staff/approvals': ['moderator', 'support'],
  'POST /staff/approvals/{approvalid}/approve': ['moderator', 'support'],
  'POST /staff/approvals/{approvalid}/refuse': ['moderator', 'support'],
  'GET /staff/scam-signals': ['moderator'],
  'GET /staff/scam-signals/precision': ['moderator'],
  'GET /staff/bans': ['moderator'],
  'DELETE /staff/bans/{banid}': ['moderator'],
  'GET /staff/members/{id}/sessions': ['moderator', 'support'],
  'DELETE /staff/members/{id}/sessions': ['moderator', 'support'],
  'DELETE /staff/members/{id}/sessions/{sessionid}': ['moderator', 'support'],
  'POST /staff/members/{id}/recovery': ['support'],
  'DELETE /staff/members/{id}/recovery': ['support'],
  'GET /staff/memberships/{member}': ['support'],
  'POST /staff/memberships/{member}/correct': ['support'],
  'GET /staff/search/index': ['search', 'operator'],
  'GET /staff/search/settings': ['search'],
  'POST /staff/search/settings': ['search'],
  'POST /staff/search/settings/rollback': ['search'],
  'POST /staff/search/comparisons': ['search'],
  'GET /staff/search/experiments': ['search'],
  'POST /staff/search/experiments': ['search'],
  'POST /staff/search/experiments/{name}/stop': ['search'],
  'GET /staff/search/usage': ['search'],
  'GET /staff/search/judgment-sets': ['search'],
  'POST /staff/search/judgment-sets': ['search'],
  'GET /staff/search/judgment-sets/{id}': ['search'],
  'DELETE /staff/search/judgment-sets/{id}': ['search'],
  'POST /staff/search/judgment-sets/{id}/searches': ['search'],
  'DELETE /staff/search/judgment-sets/{id}/searches/{searchid}': ['search'],
  'POST /staff/search/judgment-sets/{id}/ratings': ['search'],
  'GET /staff/search/judgment-sets/{id}/export': ['search'],
  'POST /staff/search/judgment-sets/{id}/import': ['search'],
  'GET /staff/search/judgment-sets/{id}/runs': ['search'],
  'POST /staff/search/judgment-sets/{id}/runs': ['search'],
  'GET /staff/search/judgment-sets/{id}/runs/{runid}': ['search'],
  'GET /staff/audit': ['operator'],
  'GET /staff/name': ['moderator', 'support', 'search', 'operator'],
  'GET /staff/operations': ['operator'],
  'GET /staff/operations/dead-letters': ['operator'],
  'POST /staff/operations/dead-letters/replay': ['operator'],
  'DELETE /staff/operations/dead-letters/{queue}/{letterid}': ['operator'],
};

interface Operation {
  readonly 'x-roles'?: readonly StaffRole[];
}

/** A call about something that does not exist. */
const nothing = (path: string) => path.replaceAll(/\{\w+\}/g, '999999999');

/** Tests of the calls that each role of staff may make. */
export function staffRoleCases(system: () => System): void {
  describe('roles of staff, through the gateway', () => {
    let stack: System;
    beforeAll(() => {
      stack = system();
    });

    it('are documented with every call of staff', async () => {
      const { body } = await request(stack.url).get('/openapi.json').expect(200);
      const { paths } = body as { paths: Record<string, Record<string, Operation>> };
      const documented = Object.entries(paths).flatMap(([path, operations]) =>
        path.startsWith('/staff/')
          ? Object.entries(operations).map(([method, operation]) => [
              `${method.toUpperCase()} ${path}`,
              operation['x-roles'],
            ])
          : [],
      );
      expect(Object.fromEntries(documented)).toEqual(rolesOfCalls);
    });

    it.each(staffRoles)('let %s make its own calls, and refuse all others', async (role) => {
      const auth = stack.peer('auth');
      const username = `only-${role}`;
      const password = 'copper-lantern-7';
      await auth.createStaff({ username, password, roles: { [everySite]: [role] } });
      const { access_token } = await auth.issueStaffToken({ username });
      const caller = as(stack.url, { tokens: { access_token } });
      const sends: Readonly<Record<string, (path: string) => request.Test>> = {
        GET: caller.get,
        POST: caller.post,
        DELETE: caller.delete,
      };
      const refused = async (call: string): Promise<boolean> => {
        const [method = '', path = ''] = call.split(' ');
        const answer = await sends[method]?.(nothing(path));
        if (!answer) throw new Error(`${method} is no method`);
        const { status, body } = answer;
        if (status === 401 || status === 429 || status >= 500) throw new Error(`${call}: ${status}`);
        // A wrong parameter is 403 too, but Invalid Argument.
        return status === 403 && (body as { fail: string }).fail === 'Forbidden';
      };
      const calls = Object.entries(rolesOfCalls);
      const answers = await Promise.all(calls.map(async ([call]) => [call, await refused(call)] as const));
      const expected = calls.map(([call, roles]) => [call, role !== 'admin' && !roles.includes(role)]);
      expect(answers).toEqual(expected);
    });
  });
}
