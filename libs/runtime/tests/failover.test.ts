import { describe, expect, it, jest } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { EventEmitter } from 'node:events';
import { onFailover } from '../src/redis.ts';

describe('a failover of a cluster', () => {
  it('is one loss, although each attempt to reach the server that died is a connection that ends', () => {
    const cluster = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
    const lost = jest.fn();
    onFailover(cluster, lost, () => undefined);
    const connections = [0, 1, 2].map(() => new EventEmitter());
    for (const [index, connection] of connections.entries()) {
      cluster.emit('+node', connection);
      if (index === 0) connection.emit('ready');
      cluster.emit('-node', connection);
    }
    expect(lost).toHaveBeenCalledTimes(1);
    cluster.disconnect();
  });

  it('is noticed of a server that was connected before anybody listened', () => {
    const cluster = new Cluster([{ host: '127.0.0.1', port: 1 }], { lazyConnect: true });
    const connection = Object.assign(new Redis({ lazyConnect: true }), { status: 'ready' as const });
    jest.spyOn(cluster, 'nodes').mockReturnValue([connection]);
    const lost = jest.fn();
    onFailover(cluster, lost, () => undefined);
    cluster.emit('-node', connection);
    expect(lost).toHaveBeenCalledTimes(1);
    cluster.disconnect();
  });
});
