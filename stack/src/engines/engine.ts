/** The four servers the services speak to. */
export type EngineName = 'mongodb' | 'elasticsearch' | 'rabbitmq' | 'redis';

/** One running server. */
export interface Engine {
  readonly name: EngineName;
  /** For example mongodb://127.0.0.1:24001, http://127.0.0.1:24002, amqp://guest:password@127.0.0.1:24003. */
  readonly url: string;
  /** An address that was given, a server found on the machine, or the default that comes with the stack. */
  readonly origin: 'environment' | 'installed' | 'embedded';
  readonly version?: string;
  /** Whether it has the users of `config/stores`, all with the password of its address. */
  readonly hasServiceUsers: boolean;
  /** The process and its group (the same number); absent for an address that was given, and while stopped. */
  readonly pid?: number;
  /**
   * Resolves with one line, the last log lines included, when the server dies without stop() having been called;
   * never rejects. After restart() it is a new promise.
   */
  readonly exited: Promise<string>;
  /** Clean, at most 10 s, then SIGKILL for the whole process group. May be called again. */
  stop(): Promise<void>;
  /** Sends a signal to the whole process group, for fault tests. */
  kill(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts again on the same port and data, after stop() or kill('SIGKILL'). A running server is stopped first. */
  restart(): Promise<void>;
}

/** Where the engines live and what they may look at. */
export interface EngineOptions {
  /** Holds a folder for each engine: its data, its ports, the process it runs as. */
  dataDir: string;
  /** Holds one log file for each engine. */
  logDir: string;
  /** Addresses (MONGODB_URL, …), PATH, HOME, JAVA_HOME, ES_HOME, XDG_CACHE_HOME and so on. */
  environment: Record<string, string | undefined>;
  /** Told what is being done, one line each. */
  progress: (line: string) => void;
  /** Ends a start early: another engine failed, so this one is not needed any more. */
  signal?: AbortSignal;
}

/** Options of one start. */
export type StartOptions = Required<EngineOptions>;

/** How to start one server as a child process. */
export interface Launch {
  readonly origin: 'installed' | 'embedded';
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Record<string, string | undefined>;
  readonly url: string;
  /** The port that accepts connections when the server is up. */
  readonly port: number;
  /** Seconds that it may take, beyond a start, to read what is in its files. */
  readonly readingSeconds?: number;
}

/** The folder and the free ports of an engine, as its launch needs them. */
export interface EnginePlace {
  readonly folder: string;
  /** One free port for each name in the kind's `ports`; the same as last time where they are still free. */
  readonly ports: Readonly<Record<string, number>>;
}

/** What is particular to one of the four. */
export interface EngineKind {
  readonly name: EngineName;
  /** The name people know it by, for messages. */
  readonly title: string;
  readonly ports: readonly string[];
  /** Whether it is started with the users of `config/stores`; false if absent. */
  readonly hasServiceUsers?: boolean;
  /** Finds or fetches the server, before the place is taken. May last minutes at the first start. */
  find(options: StartOptions): Promise<(place: EnginePlace) => Promise<Launch>>;
  /** Asks the server itself, in its own protocol; throws while it does not answer. Resolves with its version. */
  ping(url: string): Promise<string | undefined>;
}
