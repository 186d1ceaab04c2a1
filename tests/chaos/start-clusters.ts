import type { ClusterName, EngineNode, Launcher, StartOptions } from '@covalence/stack/engines/engine';
import { findEmbeddedElasticsearch } from '@covalence/stack/engines/elasticsearch-engine';
import { startEngines } from '@covalence/stack/engines/engines';
import { stopAll } from '@covalence/stack/start-together';
import { join } from 'node:path';
import { disconnect, type NodeProcess } from './cluster.ts';
import { createPeerProxies } from './peer-proxies.ts';

/**
 * Starts the engines. A node of Elasticsearch or RabbitMQ can be cut off from the others, and the nodes of Elasticsearch are upgraded
 * from another checkout, if there is one.
 */
export async function startClusters(
  options: StartOptions,
  {
    clusters,
    otherRelease,
  }: { readonly clusters: readonly ClusterName[]; readonly otherRelease: string | undefined },
) {
  const upgraded = new Set<string>();
  const elasticsearch = async (): Promise<Launcher> => {
    const current = await findEmbeddedElasticsearch(options);
    if (otherRelease === undefined) return current;
    const former = await findEmbeddedElasticsearch(options, join(otherRelease, 'stack/java/'));
    return (place, all) => (upgraded.has(place.name) ? current : former)(place, all);
  };
  const proxies = clusters.includes('elasticsearch') ? createPeerProxies(await elasticsearch()) : undefined;
  const engines = await startEngines({
    ...options,
    clustered: clusters,
    ...(proxies && { launchers: { elasticsearch: proxies.launcher } }),
  }).catch(async (error: unknown) => {
    await proxies?.close();
    throw error;
  });
  return {
    engines,
    /** From its next start on, a node of Elasticsearch is of this checkout. */
    upgradeNode: ({ name }: EngineNode) => void upgraded.add(name),
    /** Cuts a node off from the others, but not from the services. Resolves with the function that ends it. */
    cutOff: async (name: string, node: NodeProcess): Promise<() => Promise<void> | void> => {
      if (name === 'rabbitmq') return disconnect(node);
      if (name !== 'elasticsearch' || !proxies) throw new Error(`${name} cannot be divided`);
      return proxies.cutOff(node);
    },
    stopEngines: async (): Promise<void> => {
      await stopAll(Object.values(engines));
      await proxies?.close();
    },
  };
}
