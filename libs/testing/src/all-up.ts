/** Whether all checks of a service pass, optional ones included. */
export const allUp = async (health: {
  report(): Promise<{ readonly checks: Readonly<Record<string, string>> }>;
}): Promise<boolean> => Object.values((await health.report()).checks).every((state) => state === 'up');
