/** The servers that services connect to. */
export const engineNames = ['mongodb', 'elasticsearch', 'rabbitmq', 'redis'] as const;

/** The name of one of them. */
export type EngineName = (typeof engineNames)[number];

/** A running server. */
export interface Engine {
  readonly name: EngineName;
  /** For example amqp://guest:password@127.0.0.1:24003. */
  readonly url: string;
  /** A configured address, a server installed on the machine, or the embedded default. */
  readonly origin: 'environment' | 'installed' | 'embedded';
  readonly version?: string;
  /** Whether it has the users of `config/stores`, with the password of its address. */
  readonly hasServiceUsers: boolean;
  /** The number of the process and its group; absent for a configured address and while stopped. */
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

/** Folders and environment of engines. */
export interface EngineOptions {
  /** Holds a folder per engine: data, ports, process. */
  dataDir: string;
  /** Holds a log file per engine. */
  logDir: string;
  environment: Record<string, string | undefined>;
  /** Receives one line per step. */
  progress: (line: string) => void;
  /** Aborts the start. */
  signal?: AbortSignal;
}

/** Options of one start. */
export type StartOptions = Required<EngineOptions>;

/** How to start a server as a child process. */
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

/** The folder and the ports of an engine. */
export interface EnginePlace {
  readonly folder: string;
  readonly ports: Readonly<Record<string, number>>;
}

/** The properties of one engine. */
export interface EngineKind {
  readonly name: EngineName;
  /** The name in messages. */
  readonly title: string;
  readonly ports: readonly string[];
  /** Whether it is started with the users of `config/stores`; false if absent. */
  readonly hasServiceUsers?: boolean;
  /** Finds, installs or fetches the server; can take minutes at the first start. */
  find(options: StartOptions): Promise<(place: EnginePlace) => Promise<Launch>>;
  /** Calls the server in its own protocol; resolves with its version, rejects while it does not answer. */
  ping(url: string): Promise<string | undefined>;
}
