import { connect } from 'amqplib';
import { declareTopology } from './topology.ts';

const connectLimitMs = 5_000;

/**
 * Declares the exchanges, queues and bindings of a namespace. The account in the address needs permission to configure them. Safe to
 * repeat; run it at every upgrade.
 */
export async function declareTopologyAt(url: string, namespace: string): Promise<void> {
  const connection = await connect(url, { timeout: connectLimitMs });
  // Pending calls reject when the connection is lost; without a listener the process would crash.
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
