/** The commands of the browser that tests of pages run in: `CHROMIUM`, else what distributions call it. */
export const browserCommands = ({ CHROMIUM }: NodeJS.ProcessEnv): readonly string[] =>
  CHROMIUM ? [CHROMIUM] : ['chromium', 'chromium-browser', 'google-chrome'];
