import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@covalence/testing/until';
import { declareTopology } from '../src/topology.ts';
import { membershipChanged, startBus, type Bus } from './harness.ts';

let bus: Bus;
beforeAll(async () => {
  bus = await startBus('topology');
});
afterAll(() => bus.close());

it('takes bindings of earlier versions away', async () => {
  const { raw, namespace, publisher, exchange } = bus;
  const push = bus.queue('updates.push');
  const next = () => raw.get(push, { noAck: true });
  await raw.bindQueue(push, exchange, 'membership.*');
  await publisher.publish(membershipChanged(1));
  await until('what the binding brings', next);
  await declareTopology(raw, namespace);
  await publisher.publish(membershipChanged(2));
  expect(await next()).toBe(false);
});
