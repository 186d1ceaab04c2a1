import type { ListedClient } from '@covalence/contract/peers/auth-api';
import { redirectUriProblem } from '@covalence/contract/redirect-uri';
import { UsageError } from '@covalence/runtime/command-error';
import type { ActionCall } from '../operator-command.ts';

type Settings = Pick<
  ListedClient,
  | 'require_pkce'
  | 'refresh_grace_seconds'
  | 'refresh_lifetime_seconds'
  | 'dpop_bound_access_tokens'
  | 'android_app'
  | 'ios_app'
  | 'post_logout_redirect_uris'
>;

const units = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Seconds of a time like 90s, 15m, 12h or 30d. */
function secondsOf(option: string, text: string): number {
  const [, count, unit = 's'] = /^(\d{1,9})([smhd])?$/.exec(text) ?? [];
  if (count === undefined) throw new UsageError(`--${option} is a time like 60s, 15m, 12h or 30d.`);
  return Number(count) * units[unit as keyof typeof units];
}

/** The longest unit that a number of seconds is whole in. */
function timeOf(seconds: number): string {
  const fitting = Object.entries(units).filter(([, length]) => seconds % length === 0);
  const [unit, length] = fitting.at(-1) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

/** Options of `clients create` and `clients change` that are settings of a client. */
export const settingOptions = {
  '--require-pkce': 'every sign-in must send a PKCE challenge',
  '--require-dpop': 'tokens are bound to a key of the app, which proves it with each call',
  '--refresh-grace <time>': 'how long a lost refresh can be repeated (default 10s, at most 120s)',
  '--android-app <app>': 'Android app that shares passkeys: package=fingerprint,… (SHA-256) or none',
  '--ios-app <app>': 'iOS app that shares passkeys: team.bundle (A1B2C3D4E5.com.example.app), or none',
  '--refresh-lifetime <time>':
    'how long a sign-in lasts: 60s to 3650d, or none (default none, 365d if public)',
  '--post-logout-redirect-uri <address...>': 'where the browser returns to after a sign-out',
};

/** The Android app that an option names. */
function androidAppOf(text: string): Settings['android_app'] {
  if (text === 'none') return null;
  const [name = '', fingerprints = ''] = text.split('=');
  return { package: name, fingerprints: fingerprints.toUpperCase().split(',') };
}

/** Refuses redirect addresses with the reason, before the service does. */
export function checkedAddresses(uris: readonly string[]): string[] {
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw new UsageError(`The redirect address ${uri} ${problem}.`);
  }
  return [...uris];
}

/** The settings that the options name. */
export function settingsOf(options: ActionCall['options']): Partial<Settings> {
  const {
    requirePkce,
    requireDpop,
    androidApp,
    iosApp,
    refreshGrace,
    refreshLifetime,
    postLogoutRedirectUri,
  } = options;
  return {
    ...(typeof requirePkce === 'boolean' && { require_pkce: requirePkce }),
    ...(typeof requireDpop === 'boolean' && { dpop_bound_access_tokens: requireDpop }),
    ...(typeof androidApp === 'string' && { android_app: androidAppOf(androidApp) }),
    ...(typeof iosApp === 'string' && { ios_app: iosApp === 'none' ? null : iosApp }),
    ...(typeof refreshGrace === 'string' && {
      refresh_grace_seconds: secondsOf('refresh-grace', refreshGrace),
    }),
    ...(typeof refreshLifetime === 'string' && {
      refresh_lifetime_seconds:
        refreshLifetime === 'none' ? null : secondsOf('refresh-lifetime', refreshLifetime),
    }),
    ...(Array.isArray(postLogoutRedirectUri) && {
      post_logout_redirect_uris: checkedAddresses(postLogoutRedirectUri),
    }),
  };
}

/** Settings and secrets of a client for `clients list`. */
export const marksOf = (client: ListedClient): string[] => {
  const {
    staff,
    public: isPublic,
    fapi,
    disabled,
    require_pkce,
    dpop_bound_access_tokens,
    refresh_grace_seconds,
    refresh_lifetime_seconds,
    android_app,
    ios_app,
    secrets,
  } = client;
  const marks = [
    staff && 'staff',
    isPublic && 'public',
    fapi && 'fapi',
    disabled && 'disabled',
    require_pkce && 'pkce',
    dpop_bound_access_tokens && 'dpop',
    `grace=${timeOf(refresh_grace_seconds)}`,
    refresh_lifetime_seconds !== null && `lifetime=${timeOf(refresh_lifetime_seconds)}`,
    android_app && `android=${android_app.package}`,
    ios_app && `ios=${ios_app}`,
    secrets.length > 0 && `secrets=${secrets.join(',')}`,
  ];
  return marks.filter((mark) => typeof mark === 'string');
};
