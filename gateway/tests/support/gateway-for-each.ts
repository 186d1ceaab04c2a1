import { afterEach } from '@jest/globals';
import { startGateway, type GatewaySettings, type TestGateway } from '../harness.ts';

/** How each test of a suite starts a gateway of its own, which is closed after the test. */
export function gatewayForEach(): (settings: GatewaySettings) => Promise<TestGateway> {
  let gateway: TestGateway | undefined;
  afterEach(async () => {
    await gateway?.close();
    gateway = undefined;
  });
  return async (settings) => (gateway = await startGateway(settings));
}
