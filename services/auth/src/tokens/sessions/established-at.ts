import type { Provider } from 'oidc-provider';

type Session = Provider['Session']['prototype'];

const field = 'establishedAt';

/**
 * When a browser's session was established, in milliseconds; 0 without a sign-in. `loginTs` is the time at which credentials were
 * entered, which is earlier when a provider did not ask for them.
 */
export const establishedAt = (session: Session | undefined): number => {
  const at = (session as { [field]?: unknown } | undefined)?.[field];
  return typeof at === 'number' ? at : 0;
};

/** Sets the time; stored with the session. */
export function setEstablished(session: Session, at: number): void {
  Object.assign(session, { [field]: at });
}

/** Has a provider store the time with its sessions. */
export function keepEstablished(provider: Provider): void {
  const names = (provider.Session as unknown as { IN_PAYLOAD: string[] }).IN_PAYLOAD;
  Object.defineProperty(provider.Session, 'IN_PAYLOAD', { value: [...names, field] });
  // After the result of the form was put into the session, before it is judged.
  provider.on('interaction.ended', ({ oidc: { result, session } }) => {
    const at = result?.['authenticated_at'];
    if (session && result?.login && typeof at === 'number') setEstablished(session, at);
  });
}
