import { connect } from 'amqplib';
import { declareTopology } from './topology.ts';

const connectLimitMs = 5_000;

/**
 * Declares the exchanges, queues and bindings of a namespace with the account of the address, which must be allowed to
 * configure them. Safe to repeat; run it again at every upgrade. Rejects when the broker is away or refuses.
 */
export async function declareTopologyAt(url: string, namespace: string): Promise<void> {
  const connection = await connect(url, { timeout: connectLimitMs });
  // A broker that is lost rejects what is under way; without a listener the process would end.
  connection.on('error', () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => undefined);
    await declareTopology(channel, namespace);
    await channel.close();
  } finally {
    await connection.close().catch(() => undefined);
  }
}
