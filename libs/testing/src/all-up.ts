/** Whether a part reaches everything that it says anything of, also what it would be ready without. */
export const allUp = async (health: {
  report(): Promise<{ readonly checks: Readonly<Record<string, string>> }>;
}): Promise<boolean> => Object.values((await health.report()).checks).every((state) => state === 'up');
