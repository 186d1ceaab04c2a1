import { ClusterConnectionPool, type Connection } from '@elastic/elasticsearch';

/** How long a host that failed gets no request, before it is pinged, ms. */
const restMs = 5_000;

/**
 * Gives requests to hosts in turn. One that failed gets none until it answers a ping, unless all failed. The client's other pools
 * go on asking a host that hangs, or leave it out for half an hour.
 */
export class HostPool extends ClusterConnectionPool {
  override resurrectTimeout = restMs;

  override markDead(connection: Connection): this {
    // Otherwise each of several failures at once would double the time.
    connection.deadCount = 0;
    return super.markDead(connection);
  }

  override resurrect(options: Parameters<ClusterConnectionPool['resurrect']>[0]): void {
    const [first] = this.dead;
    const due = this.connections.find(
      ({ id, resurrectTimeout }) => id === first && resurrectTimeout <= options.now,
    );
    super.resurrect(options);
    // One ping at a time.
    if (due) due.resurrectTimeout = options.now + restMs;
  }
}
