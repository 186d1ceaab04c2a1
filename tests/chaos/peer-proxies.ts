import type { EnginePlace, Launcher } from '@covalence/stack/engines/engine';
import { createTcpProxy, type TcpProxy } from '@covalence/testing/tcp-proxy';

/** Starts the nodes of Elasticsearch so that the others reach each through a proxy. */
export function createPeerProxies(start: Launcher) {
  const ways = new Map<string, Promise<TcpProxy>>();
  const wayTo = ({ name, ports }: EnginePlace) => {
    const way = ways.get(name) ?? createTcpProxy(`tcp://127.0.0.1:${ports['transport']}`);
    ways.set(name, way);
    return way;
  };
  const hostOf = async (place: EnginePlace) => new URL((await wayTo(place)).url).host;
  const launcher: Launcher = async (place, all) => {
    const launch = await start(place, all);
    const own = (await hostOf(place)).replace(/.*:/, '');
    const hosts = await Promise.all(all.map(hostOf));
    const settings = [`transport.publish_port=${own}`, `discovery.seed_hosts=${hosts.join(',')}`];
    return { ...launch, args: [...launch.args, ...settings] };
  };
  return {
    launcher,
    /** Keeps the others from reaching a node. Resolves with the function that ends it. */
    async cutOff({ name }: { readonly name: string }): Promise<() => void> {
      const way = await ways.get(name);
      if (!way) throw new Error(`no way to ${name}`);
      way.cut();
      return () => way.restore();
    },
    async close(): Promise<void> {
      await Promise.all([...ways.values()].map(async (way) => (await way).close()));
    },
  };
}
