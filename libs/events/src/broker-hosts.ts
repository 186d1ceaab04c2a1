import { firstAnswer } from '@covalence/runtime/first-answer';
import { hostsOf } from '@covalence/runtime/host-urls';
import { connect, type ChannelModel } from 'amqplib';
import { randomInt } from 'node:crypto';

/** Time limit of a host to accept a connection, ms: one that accepts and stays silent is left. */
export const connectLimitMs = 5_000;

/** A URL for each host of an address, in random order, so that connections spread over the nodes, and over the others when one is lost. */
export function brokerHosts(address: string): string[] {
  const placed = hostsOf(address).map((url) => ({ url, place: randomInt(2 ** 32) }));
  return placed.sort((one, other) => one.place - other.place).map(({ url }) => url);
}

/** A connection to the first host that answers. Rejects with the error of the last one. */
export const connectOnce = (address: string): Promise<ChannelModel> =>
  firstAnswer(brokerHosts(address), async (url) => {
    const connection = await connect(url, { timeout: connectLimitMs });
    // Pending calls reject when the connection is lost; without a listener the process would crash.
    connection.on('error', () => undefined);
    return connection;
  });
