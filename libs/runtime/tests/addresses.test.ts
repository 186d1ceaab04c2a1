import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import {
  elasticsearchUrl,
  mongodbUrl,
  serviceUrl,
  plainServiceUrl,
  publicAddresses,
  rabbitmqUrl,
  redisUrl,
} from '../src/addresses.ts';
import { readRedisAddress } from '../src/redis-address.ts';

const { PUBLIC_URL } = publicAddresses;

describe('addresses of the settings', () => {
  it.each([
    ['PUBLIC_URL', PUBLIC_URL, 'https://api.example.com'],
    ['a service', serviceUrl, 'https://profile.covalence.svc'],
    ['a service behind the gateway', plainServiceUrl, 'http://profile:8082'],
    ['MongoDB, several hosts', mongodbUrl, 'mongodb://a:27017,b:27017/?replicaSet=rs0'],
    ['MongoDB by DNS', mongodbUrl, 'mongodb+srv://user:secret@cluster.example/'],
    ['Redis', redisUrl, 'redis://:secret@redis:6379'],
    ['Redis with TLS', redisUrl, 'rediss://redis:6379/1'],
    ['a cluster of Redis', redisUrl, 'redis+cluster://user:secret@a:6379,b:6379,c:6379'],
    ['Redis with Sentinels', redisUrl, 'rediss+sentinel://:secret@a,b:26380/main?sentinel_password=other'],
    ['RabbitMQ', rabbitmqUrl, 'amqps://user:secret@rabbitmq:5671/vhost'],
    ['RabbitMQ, several hosts', rabbitmqUrl, 'amqp://user:secret@a:5672,b:5672/vhost'],
    ['Elasticsearch', elasticsearchUrl, 'https://elastic:secret@search.example/prefix'],
    ['Elasticsearch, several hosts', elasticsearchUrl, 'http://elastic:secret@a:9200,b:9200/prefix'],
  ])('takes %s', (_what, schema: z.ZodType<string>, text) => {
    expect(schema.parse(text)).toBe(text);
  });

  it('keep each character of a password for Sentinels', () => {
    const address = readRedisAddress(
      'redis+sentinel://u:a%2Bb@a,b/main?sentinel_user=s&sentinel_password=c+d%20e',
    );
    expect(address).toMatchObject({
      login: { username: 'u', password: 'a+b' },
      sentinelLogin: { username: 's', password: 'c+d e' },
    });
  });

  it.each([
    ['a public address', PUBLIC_URL],
    ['the address of a service', serviceUrl],
  ])('leaves out the slash at the end of %s', (_what, schema: z.ZodType) => {
    expect(schema.parse('https://api.example.com/')).toBe('https://api.example.com');
  });

  it.each([
    ['a public address with a path', PUBLIC_URL, 'https://example.com/api'],
    ['a public address with a query', PUBLIC_URL, 'https://example.com?site=1'],
    ['a public address with a password', PUBLIC_URL, 'https://user:secret@example.com'],
    ['a public address without protocol', PUBLIC_URL, 'api.example.com'],
    ['a public address of no web server', PUBLIC_URL, 'ftp://api.example.com'],
    ['a service behind the gateway over TLS', plainServiceUrl, 'https://profile:8082'],
    ['an empty address of MongoDB', mongodbUrl, ''],
    ['MongoDB by its host alone', mongodbUrl, 'mongodb:27017'],
    ['Redis by its host alone', redisUrl, 'redis:6379'],
    ['several Redis servers without their form', redisUrl, 'redis://a:6379,b:6379'],
    ['a numbered database of a cluster', redisUrl, 'redis+cluster://a:6379,b:6379/1'],
    ['Sentinels without the name of a primary', redisUrl, 'redis+sentinel://a:26379,b:26379'],
    ['an unknown setting of Sentinels', redisUrl, 'redis+sentinel://a:26379/main?password=secret'],
    ['a password that cannot be decoded', redisUrl, 'redis+cluster://:%zz@a:6379'],
    ['an unknown form of Redis', redisUrl, 'redis+proxy://a:6379'],
    ['RabbitMQ by its host alone', rabbitmqUrl, 'rabbitmq:5672'],
    ['RabbitMQ over HTTP', rabbitmqUrl, 'http://rabbitmq:15672'],
    ['RabbitMQ with an empty host', rabbitmqUrl, 'amqp://a:5672,'],
    ['Elasticsearch with a scheme for each host', elasticsearchUrl, 'http://a:9200,http://b:9200'],
    ['Elasticsearch by its host alone', elasticsearchUrl, 'elasticsearch:9200'],
  ])('refuses %s and says what it is like', (_what, schema: z.ZodType<string>, text) => {
    const { error } = schema.safeParse(text);
    expect(error?.issues[0]?.message).toContain('must be an address like ');
  });
});
