import type { Connection } from 'mongoose';
import type { PaymentProvider } from './provider.ts';
import { storeNames } from '../stores/store.ts';
import { createSandboxChargeStore } from './sandbox-charge-store.ts';
import { createSandboxProvider } from './sandbox-provider.ts';

/** Providers that charge when they are asked to. */
const chargers = ['sandbox'] as const;

/** Names that `PAYMENT_PROVIDERS` may list. */
export const providerNames = [...chargers, ...storeNames] as const;

/** The name of a payment provider in the setting, the ledger and the path of its webhooks. */
export type ProviderName = (typeof providerNames)[number];

const makers: Readonly<Record<(typeof chargers)[number], (connection: Connection) => PaymentProvider>> = {
  sandbox: (connection) => createSandboxProvider(createSandboxChargeStore(connection)),
};

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
  const all = new Map<string, PaymentProvider>(chargers.map((name) => [name, makers[name](connection)]));
  const used = new Map<string, PaymentProvider>(
    listed.flatMap((name) => {
      const provider = all.get(name);
      return provider ? [[name, provider] as const] : [];
    }),
  );
  const [current] = used.values();
  return {
    current,
    names: [...used.keys()],
    find: (name) => used.get(name),
    async forget(member) {
      await Promise.all([...all.values()].map((provider) => provider.forget(member)));
    },
  };
}
