/** The servers that services connect to. */
export const engineNames = ['mongodb', 'elasticsearch', 'rabbitmq', 'redis'] as const;

/** The name of one of them. */
export type EngineName = (typeof engineNames)[number];

/** Names for `--clustered`: engines of several servers, and Redis with Sentinels. */
export const clusterNames = ['elasticsearch', 'rabbitmq', 'redis', 'sentinel'] as const;

/** The name of one of them. */
export type ClusterName = (typeof clusterNames)[number];

/** A running server. */
export interface EngineNode {
  /** For example rabbitmq-2; of the only server the name of the engine. */
  readonly name: string;
  /** For example amqp://guest:password@127.0.0.1:24003. */
  readonly url: string;
  readonly version?: string;
  /** The number of the process and its group; absent while stopped. */
  readonly pid?: number;
  /** Resolves with one line, including the end of the log, when it ends by itself. After restart() it is a new promise. */
  readonly exited: Promise<string>;
  /** Sends SIGTERM, then SIGKILL to the process group after 10 s. Can be called again. */
  stop(): Promise<void>;
  /** Sends a signal to the process group. */
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts it again with the same ports and data; stops a running server first. */
  restart(): Promise<void>;
}

/** A running engine of one server or several. Its methods are those of all its servers together. */
export interface Engine extends EngineNode {
  readonly name: EngineName;
  /** Names all servers: amqp://guest:password@127.0.0.1:24003,127.0.0.1:24006. */
  readonly url: string;
  /** Its servers; none at a configured address. */
  readonly nodes: readonly EngineNode[];
  /** A configured address, a server installed on the machine, or the embedded default. */
  readonly origin: 'environment' | 'installed' | 'embedded';
  /** Whether it has the users of `config/stores`, with the password of its address. */
  readonly hasServiceUsers: boolean;
}

/** Folders and environment of engines. */
export interface EngineOptions {
  /** Holds a folder per engine: data, ports, process. */
  dataDir: string;
  /** Holds a log file per server. */
  logDir: string;
  /** The engines to start as several servers; default none. */
  clustered?: readonly ClusterName[];
  /** Starts servers of an engine in another way than the one that is found. Asked before each start. */
  launchers?: Partial<Record<EngineName, Launcher>>;
  environment: Record<string, string | undefined>;
  /** Receives one line per step. */
  progress: (line: string) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
}

/** Options of one start. */
export type StartOptions = Required<Omit<EngineOptions, 'clustered' | 'launchers'>>;

/** The command that starts a server as a child process. */
export interface Launch {
  readonly origin: 'installed' | 'embedded';
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Record<string, string | undefined>;
  readonly url: string;
  readonly port: number;
  /** Additional seconds that it may take to read its files. */
  readonly readingSeconds?: number;
}

/** The folders and the ports of a server. */
export interface ServerPaths {
  /** The name of the server. */
  readonly name: string;
  readonly folder: string;
  /** The folder of the engine, which its servers share. */
  readonly shared: string;
  readonly ports: Readonly<Record<string, number>>;
}

/** Prepares each start of a server. Gets the places of all servers of the engine, its own among them. */
export type Launcher = (place: ServerPaths, all: readonly ServerPaths[]) => Promise<Launch>;

/** The properties of one engine. */
export interface EngineKind {
  readonly name: EngineName;
  /** The name in messages. */
  readonly title: string;
  /** The ports of each server. */
  readonly ports: readonly string[];
  /** The names of the servers of a cluster; absent for one server. */
  readonly nodes?: readonly string[];
  /** Whether it is started with the users of `config/stores`; false if absent. */
  readonly hasServiceUsers?: boolean;
  /** Finds, installs or fetches the server; can take minutes at the first start. */
  find(options: StartOptions): Promise<Launcher>;
  /** Makes one engine of its started servers; resolves with its address. Absent if the address is that of all servers. */
  join?(nodes: readonly EngineNode[], places: readonly ServerPaths[]): Promise<string>;
  /** Calls a server in its own protocol; resolves with its version, rejects while it does not answer. */
  ping(url: string): Promise<string | undefined>;
}
