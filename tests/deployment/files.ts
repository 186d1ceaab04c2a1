import { readFileSync } from 'node:fs';
import { createTemplateFiller } from '@covalence/cli/credential-templates';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const root = join(import.meta.dirname, '../..');

/** A file of the checkout. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Keys and passwords of one system. */
export const fill = createTemplateFiller();

/** Parses lines of `NAME=value` with comments, as kustomize and compose do; fills in an example. */
export function readVariables(path: string): Record<string, string> {
  const lines = fill(read(path)).split('\n');
  const pairs = lines.filter((line) => line.trim() && !line.startsWith('#'));
  return Object.fromEntries(
    pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** A container of a manifest. */
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly startupProbe?: object;
  readonly readinessProbe?: object;
  readonly securityContext: object;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly resources: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

/** A pod of a manifest. */
export interface Pod {
  readonly serviceAccountName: string;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: object;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
}

/** The fields of a manifest that the tests use; which ones exist depends on its kind. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly selector?: unknown;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: Pod;
    };
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } };
    readonly podSelector?: Selector;
    readonly policyTypes?: readonly string[];
    readonly ingress?: readonly { readonly from: readonly Peer[]; readonly ports: readonly Port[] }[];
    readonly egress?: readonly { readonly to: readonly Peer[]; readonly ports: readonly Port[] }[];
    readonly ports?: readonly { readonly port: number; readonly targetPort: string }[];
    readonly rules?: readonly {
      readonly host: string;
      readonly http: { readonly paths: readonly object[] };
    }[];
  };
}

/** A pod selector. */
export interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** A peer of a network policy. */
export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

interface Port {
  readonly port: number;
}

/** Every manifest of a file. */
export const manifests = (path: string): Manifest[] =>
  parseAllDocuments(read(path)).map((document) => document.toJS() as Manifest);

/** One service of the compose file. */
interface ComposeService {
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on: Readonly<Record<string, unknown>>;
  readonly image: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly mem_limit?: string;
  readonly read_only?: boolean;
  readonly networks: readonly string[];
  readonly user?: string;
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
  readonly build?: { readonly args: { readonly SERVICE: string } };
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
}

const compose = (): Compose => parse(read('docker-compose.yml'), { merge: true }) as Compose;

/** The services of the compose file with resolved anchors and merges. */
export const composeServices = (): Compose['services'] => compose().services;

/** The networks of the compose file. */
export const composeNetworks = (): Compose['networks'] => compose().networks;
