import type { Connection } from 'mongoose';
import type { PaymentProvider } from './provider.ts';
import { storeNames } from '../stores/store.ts';
import { createSandboxChargeStore } from './sandbox-charge-store.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

/** Names that `PAYMENT_PROVIDERS` may list. */
export const providerNames = ['sandbox', ...storeNames] as const;

/** The name of a payment provider in the setting, the ledger and the path of its webhooks. */
export type ProviderName = (typeof providerNames)[number];

/** The providers that charge when they are asked to. */
const makers: readonly ((connection: Connection) => PaymentProvider)[] = [
  (connection) => createSandboxProvider(createSandboxChargeStore(connection)),
];

/** The payment providers of a deployment that charge when they are asked to. */
export interface PaymentProviders {
  /** The first listed provider, for new purchases; undefined if none is listed. */
  readonly current: PaymentProvider | undefined;
  /** The names of the listed providers. */
  readonly names: readonly string[];
  /** A listed provider by name. */
  find(name: string): PaymentProvider | undefined;
  /** Asks every provider, listed or not, to forget an erased member. Idempotent. */
  forget(member: number): Promise<void>;
}

/** Creates the providers on the service's database. */
export function createProviders(listed: readonly ProviderName[], connection: Connection): PaymentProviders {
  const all = makers.map((make) => make(connection));
  const used = listed.flatMap((name) => all.find((provider) => provider.name === name) ?? []);
  return {
    current: used[0],
    names: used.map(({ name }) => name),
    find: (name) => used.find((provider) => provider.name === name),
    async forget(member) {
      await Promise.all(all.map((provider) => provider.forget(member)));
    },
  };
}
