import { afterEach } from '@jest/globals';
import { startGateway, type GatewaySettings, type TestGateway } from '../harness.ts';

/** Starts a separate gateway for each test of a suite, and closes it after the test. */
export function gatewayForEach(): (settings: GatewaySettings) => Promise<TestGateway> {
  let gateway: TestGateway | undefined;
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });
  return async (settings) => (gateway = await startGateway(settings));
}
