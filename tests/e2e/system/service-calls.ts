import { internalApi } from '@covalence/contract/peers/api';
import { internalCallers, internalServices } from '@covalence/contract/peers/callers';
import type { Exchange } from '@covalence/contract/peers/exchange';
import { createServiceCredential } from '@covalence/http/service-credential';
import { credentialOf } from '@covalence/stack/services/credentials';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { System } from '../support/system.ts';

const post = async (url: string, path: string, authorization?: string) => {
  const call = request(url).post(path).send({});
  const { status } = await (authorization === undefined ? call : call.set('Authorization', authorization));
  return status;
};

/** Every internal endpoint of every service, called by each caller. */
export const serviceCallCases = (current: () => System): void => {
  describe('internal endpoints', () => {
    it.each(internalServices)(
      'of %s admit nobody whom the table of callers does not name',
      async (service) => {
        const stack = current();
        const { url } = stack.service(service);
        const headers = await Promise.all(
          internalCallers.map(async (caller) => {
            const header = await credentialOf(stack.instance, caller).authorizationFor(service);
            return { caller, header };
          }),
        );
        const admitted: string[] = [];
        for (const { path, callers } of Object.values<Exchange>(internalApi[service])) {
          expect([path, await post(url, path)]).toEqual([path, 401]);
          for (const { caller, header } of headers.filter((one) => !callers.includes(one.caller))) {
            const status = await post(url, path, header);
            if (status !== 403) admitted.push(`${caller} at ${path}: ${status}`);
          }
        }
        expect(admitted).toEqual([]);
      },
    );

    it('refuse a token for another service', async () => {
      const stack = current();
      const { url } = stack.service('auth');
      const header = await credentialOf(stack.instance, 'staff-cli').authorizationFor('profile');
      expect(await post(url, '/internal/staff/list', header)).toBe(401);
    });

    it.each(internalServices)(
      'do not let %s create staff under the name of the command line',
      async (service) => {
        const stack = current();
        const forged = createServiceCredential('staff-cli', [stack.instance.serviceSecrets[service]]);
        const header = await forged.authorizationFor('auth');
        expect(await post(stack.service('auth').url, '/internal/staff/create', header)).toBe(401);
        expect(await post(stack.service('auth').url, '/internal/staff/token', header)).toBe(401);
      },
    );

    it.each(internalServices)('authenticate %s by a key that no other process has', (service) => {
      const stack = current();
      const secret = stack.instance.serviceSecrets[service];
      const holders = [...internalServices, 'gateway' as const].filter((holder) =>
        Object.values(stack.environment(holder)).some((value) => value?.includes(secret)),
      );
      expect(holders).toEqual([service]);
      const operators = [stack.instance.serviceSecrets.operator, stack.instance.serviceSecrets['staff-cli']];
      const given = Object.values(stack.environment(service));
      expect(operators.filter((one) => given.some((value) => value?.includes(one)))).toEqual([]);
    });
  });
};
