import { afterEach } from '@jest/globals';
import { startService, type ServiceOptions, type ServiceUnderTest } from '../harness.ts';

/** Starts a separate gateway for each test of a suite, and closes it after the test. */
export function gatewayForEach(): (settings: ServiceOptions) => Promise<ServiceUnderTest> {
  let gateway: ServiceUnderTest | undefined;
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });
  return async (settings) => (gateway = await startService('gateway-for-each', settings));
}
