import { connectBroker } from '@covalence/events/broker';
import { createPublisher, type Publisher } from '@covalence/events/publisher';
import { createLogger } from '@covalence/runtime/logger';
import { createMetrics } from '@covalence/runtime/metrics';
import { until } from '@covalence/testing/until';
import { engineUrl } from './engines.ts';

/** Connects a publisher of events; `close` also closes its connection. */
export async function connectPublisher(namespace: string): Promise<Pick<Publisher, 'publish' | 'close'>> {
  const logger = createLogger('bench', 'silent');
  const broker = connectBroker({ url: engineUrl('rabbitmq'), namespace, logger });
  await until('the broker', () => broker.manager.isConnected());
  const publisher = createPublisher(broker, createMetrics('bench'));
  return {
    publish: (event) => publisher.publish(event),
    async close() {
      await publisher.close();
      await broker.close();
    },
  };
}
