import { eventSchema, type EventType } from '@covalence/contract/events';
import { exchangeOf, queues } from '@covalence/events/topology';
import { z } from 'zod';
import { capital } from '../openapi/operation.ts';
import type { Schema } from '../openapi/schema.ts';

/** The events between services as AsyncAPI describes them: a channel per routing key, an operation per queue. */

/** Stands for the NAMESPACE of a deployment in the names on the broker. */
const namespace = '{namespace}';

const schemas = new Map(
  eventSchema.options.map((option) => {
    const { $schema: _draft, ...schema } = z.toJSONSchema(option, { target: 'draft-7' });
    return [option.shape.type.value, schema] as const;
  }),
);

/** 'pair.liked' is pairLiked, as keys of the document are names. */
const keyOf = (type: string) => type.replaceAll(/\.(\w)/g, (_dot, letter: string) => letter.toUpperCase());

const exchange = { name: exchangeOf(namespace), type: 'topic', durable: true, autoDelete: false };

const channelOf = (type: EventType) => ({
  address: type,
  title: type,
  servers: [{ $ref: '#/servers/broker' }],
  messages: {
    [keyOf(type)]: {
      name: type,
      contentType: 'application/json',
      payload: schemas.get(type),
    },
  },
  bindings: { amqp: { is: 'routingKey', exchange, bindingVersion: '0.3.0' } },
});

const types = [...schemas.keys()];

/** A channel for every event, by its routing key. */
export const eventChannels = Object.fromEntries(types.map((type) => [keyOf(type), channelOf(type)]));

const matches = (pattern: string, type: string) =>
  pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;

const pointAt = (type: string) => ({ $ref: `#/channels/${keyOf(type)}` });

const sends = types.map((type) => [
  `send${capital(keyOf(type))}`,
  {
    action: 'send',
    channel: pointAt(type),
    summary: 'Persistent and mandatory, with the write that it tells of (outbox).',
    bindings: { amqp: { deliveryMode: 2, mandatory: true, bindingVersion: '0.3.0' } },
  },
]);

const receives = Object.entries(queues).flatMap(([queue, patterns]) =>
  types
    .filter((type) => patterns.some((pattern) => matches(pattern, type)))
    .map((type) => [
      `receive${capital(keyOf(type))}By${capital(keyOf(queue))}`,
      {
        action: 'receive',
        channel: pointAt(type),
        summary: `By way of the quorum queue ${namespace}.${queue}; acknowledged after the work.`,
        bindings: { amqp: { ack: true, bindingVersion: '0.3.0' } },
      },
    ]),
);

/** Who sends and who receives. */
export const eventOperations = Object.fromEntries([...sends, ...receives]) as Schema;
