import { Failure } from '@covalence/contract/failure';
import type { Logger } from '@covalence/runtime/logger';
import { z } from 'zod';
import type { AnyEndpoint } from './endpoint.ts';

/** Checks the answers of an endpoint against its definition: the OpenAPI document lacks what that does not declare. */
export function createAnswerCheck(
  route: string,
  definition: Pick<AnyEndpoint<never>, 'output' | 'accepted' | 'codes'>,
  logger: Logger,
) {
  /** Logs the reason as fatal, because the loggers of tests show nothing else. */
  const refuse = (reason: string): never => {
    logger.fatal(`${route}: ${reason}`);
    throw new Error(`${route}: ${reason}`);
  };
  return {
    /** The answer as declared. */
    body(part: 'output' | 'accepted', answer: unknown): unknown {
      const parsed = definition[part]?.safeParse(answer);
      if (parsed?.success) return parsed.data;
      return refuse(
        `the answer does not match \`${part}\`${parsed ? `: ${z.prettifyError(parsed.error)}` : ''}`,
      );
    },
    /** Throws where a failure has undeclared codes. */
    failure(error: unknown): void {
      const declared = definition.codes ?? [];
      const unnamed =
        error instanceof Failure ? error.failcode?.filter((one) => !declared.includes(one)) : [];
      if (unnamed?.length) refuse(`\`codes\` does not declare ${unnamed.join(', ')}`);
    },
  };
}
