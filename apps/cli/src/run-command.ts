import type { INestApplicationContext } from '@nestjs/common';
import type { Terminal } from './terminal.js';

/** Everything that the action of a command needs. */
interface CommandContext {
  app: INestApplicationContext;
  terminal: Terminal;
  /** The operating-system user who runs the command, for the audit log. */
  actor: string;
}

/**
 * Wraps the action of a command: opens the application before it and always closes it afterwards.
 * @param options.withExchanges the command queries exchanges or uses sealed secrets, so it needs the vault's keys.
 */
export type RunCommand = (
  work: (context: CommandContext) => Promise<void>,
  options?: { withExchanges?: boolean },
) => Promise<void>;

/** The options of a command that queries exchanges or opens sealed secrets, such as those of webhook endpoints. */
export const WITH_EXCHANGES = { withExchanges: true };

/** Thrown when a command has run to its end and found a problem. The exit code is then 1. */
export class BadFinding extends Error {}

/** Thrown when a command cannot do its work at all, such as a check without a valid key. The exit code is then 2. */
export class CannotRun extends Error {}
