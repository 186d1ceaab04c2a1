import type { Schema } from '../openapi/schema.ts';
import { eventChannels, eventOperations } from './events.ts';
import { liveUpdatesChannel, liveUpdatesOperations } from './live-updates.ts';

/** The AsyncAPI 3 document of the live updates that clients see and of the events between services. */
export function buildAsyncApi(): Schema {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Covalence live updates and events',
      version: '1',
      description:
        'Clients use the channel liveUpdates. The others are between the services: at least once, deduplicated by `id`, ordered by `version`; they carry ids and never personal texts.',
    },
    defaultContentType: 'application/json',
    servers: {
      gateway: {
        host: 'api.example',
        protocol: 'wss',
        description: 'The gateway: {base_url} with wss.',
      },
      broker: {
        host: 'broker.internal',
        protocol: 'amqp',
        description: 'RabbitMQ inside of the deployment; never reached from outside.',
      },
    },
    channels: { liveUpdates: liveUpdatesChannel, ...eventChannels },
    operations: { ...liveUpdatesOperations, ...eventOperations },
  };
}
