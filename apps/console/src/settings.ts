/** Settings that the page receives from the gateway. */
export interface Settings {
  /** Address of the API, and of this application below `/console`. */
  readonly base_url: string;
  readonly auth_url: string;
  readonly client_id: string;
}

/** The path of the application, without a slash at its end. */
export const basePath = '/console';

/** Reads the settings beside the application. */
export async function readSettings(): Promise<Settings> {
  const answer = await fetch(`${basePath}/settings.json`);
  if (!answer.ok) throw new Error(`no settings: ${answer.status}`);
  return (await answer.json()) as Settings;
}
