import type { EngineName, ServerPaths, Launcher } from '@covalence/stack/engines/engine';
import { createTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** The address of clients, and of the proxies. */
const common = '127.0.0.1';

/** How the nodes of an engine reach each other. */
interface Network {
  /** The ports that other nodes connect to. */
  readonly ports: readonly string[];
  /** Arguments with which a node listens at an address of its own and, if it can, also connects from there. */
  readonly settings: (address: string) => readonly string[];
  /** Whether another node connects from an address. */
  readonly isPeer: (address: string) => boolean;
}

/** The engines whose nodes can be started behind proxies. */
export const proxiedEngines = ['elasticsearch', 'redis'] as const satisfies readonly EngineName[];

/** The name of one of them. */
export type ProxiedEngine = (typeof proxiedEngines)[number];

const networks: Readonly<Record<ProxiedEngine, Network>> = {
  elasticsearch: {
    ports: ['transport'],
    settings: (address) => [`transport.bind_host=${address}`],
    // Its nodes cannot connect from another address, but no client uses this port.
    isPeer: () => true,
  },
  redis: {
    ports: ['redis', 'bus'],
    settings: (address) => ['--bind', address, '--bind-source-addr', address],
    isPeer: (address) => address !== common,
  },
};

/** A node at an address of its own, and the proxies that have its ports at the common one. */
interface Peer {
  readonly address: string;
  readonly ways: readonly TcpProxy[];
}

/** Starts the nodes of an engine so that they reach each other through proxies, which have the ports that the nodes announce. */
export function createPeerProxies(name: ProxiedEngine, start: Launcher) {
  const { [name]: network } = networks;
  const peers = new Map<string, Promise<Peer>>();
  const open = async (place: ServerPaths, all: readonly ServerPaths[]): Promise<Peer> => {
    const address = `127.0.0.${2 + all.indexOf(place)}`;
    const ports = network.ports.flatMap((port) => place.ports[port] ?? []);
    return {
      address,
      ways: await Promise.all(ports.map((port) => createTcpProxy(`tcp://${address}:${port}`, port))),
    };
  };
  const launcher: Launcher = async (place, all) => {
    const launch = await start(place, all);
    const peer = peers.get(place.name) ?? open(place, all);
    peers.set(place.name, peer);
    return { ...launch, args: [...launch.args, ...network.settings((await peer).address)] };
  };
  return {
    launcher,
    /** Keeps the others from reaching a node, and it from reaching them if it connects from its own address. Resolves with the end of it. */
    async cutOff(node: { readonly name: string }): Promise<() => void> {
      const all = await Promise.all(peers.values());
      const cut = await peers.get(node.name);
      if (!cut) throw new Error(`no way to ${node.name}`);
      for (const { ways } of all)
        for (const way of ways) way.cut(ways === cut.ways ? network.isPeer : (from) => from === cut.address);
      return () => {
        for (const way of all.flatMap(({ ways }) => ways)) way.restore();
      };
    },
    async close(): Promise<void> {
      const all = await Promise.all(peers.values());
      await Promise.all(all.flatMap(({ ways }) => ways).map((way) => way.close()));
    },
  };
}
