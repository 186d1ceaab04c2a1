import { runPartTool } from './part-tool.ts';

/**
 * Runs a tool of the search service, with the environment given where that is a search service's (NAMESPACE is set), else
 * against the stack that runs here (`--data DIR` among the arguments). Resolves with the tool's exit code.
 */
export function runSearchTool(
  tool: 'index' | 'relevance',
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return runPartTool({ part: 'search', file: `${tool}-cli.js`, args }, environment);
}
