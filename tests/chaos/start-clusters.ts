import type {
  ClusterName,
  EngineNode,
  EngineOptions,
  Launcher,
  StartOptions,
} from '@covalence/stack/engines/engine';
import { findEmbeddedElasticsearch } from '@covalence/stack/engines/elasticsearch-engine';
import { kindOf, startEngines } from '@covalence/stack/engines/engines';
import { stopAll } from '@covalence/stack/start-together';
import { join } from 'node:path';
import { disconnect, type NodeProcess } from './cluster.ts';
import { createPeerProxies, proxiedEngines, type ProxiedEngine } from '@covalence/testing/peer-proxies';

/** The engine of a cluster. */
export const engineOf = (cluster: ClusterName) => (cluster === 'sentinel' ? 'redis' : cluster);

/**
 * Starts the engines. A node of a cluster can be cut off from the others, and the nodes of Elasticsearch are upgraded from another
 * checkout, if there is one.
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
  const launcherOf = async (name: ProxiedEngine): Promise<Launcher> =>
    name === 'elasticsearch' ? elasticsearch() : kindOf(name, clusters).find(options);
  const divided = new Map<string, ReturnType<typeof createPeerProxies>>();
  const launchers: EngineOptions['launchers'] = {};
  for (const name of proxiedEngines.filter((one) => clusters.some((cluster) => engineOf(cluster) === one))) {
    const proxies = createPeerProxies(name, await launcherOf(name));
    divided.set(name, proxies);
    launchers[name] = proxies.launcher;
  }
  const closeProxies = () => Promise.all([...divided.values()].map((proxies) => proxies.close()));
  const engines = await startEngines({ ...options, clustered: clusters, launchers }).catch(
    async (error: unknown) => {
      await closeProxies();
      throw error;
    },
  );
  return {
    engines,
    /** From its next start on, a node of Elasticsearch is of this checkout. */
    upgradeNode: ({ name }: EngineNode) => void upgraded.add(name),
    /** Cuts a node off from the others, but not from the services. Resolves with the function that ends it. */
    cutOff: async (name: string, node: NodeProcess): Promise<() => Promise<void> | void> => {
      if (name === 'rabbitmq') return disconnect(node);
      const proxies = divided.get(name);
      if (!proxies) throw new Error(`${name} cannot be divided`);
      return proxies.cutOff(node);
    },
    stopEngines: async (): Promise<void> => {
      await stopAll(Object.values(engines));
      await closeProxies();
    },
  };
}
