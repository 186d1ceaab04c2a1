import { BaseConnection, ClusterConnectionPool, type Connection } from '@elastic/elasticsearch';

/** Time between two pings of a host that failed, ms. */
const pingEveryMs = 5_000;

/**
 * Gives requests to hosts in turn. One that failed gets none until it answers a ping, unless all failed. The client's other pools
 * go on asking a host that hangs, or leave it out for half an hour.
 */
export class HostPool extends ClusterConnectionPool {
  override resurrectTimeout = pingEveryMs;

  override markDead(connection: Connection): this {
    const isNew = connection.status === BaseConnection.statuses.ALIVE;
    // Otherwise each of several failures at once would double the time.
    connection.deadCount = 0;
    super.markDead(connection);
    // The next request pings it: a search may also have waited for another node behind a healthy host.
    if (isNew) {
      connection.resurrectTimeout = 0;
      this.dead = [connection.id, ...this.dead.filter((id) => id !== connection.id)];
    }
    return this;
  }

  override resurrect(options: Parameters<ClusterConnectionPool['resurrect']>[0]): void {
    const [first] = this.dead;
    const due = this.connections.find(
      ({ id, resurrectTimeout }) => id === first && resurrectTimeout <= options.now,
    );
    super.resurrect(options);
    // One ping at a time.
    if (due) due.resurrectTimeout = options.now + pingEveryMs;
  }
}
