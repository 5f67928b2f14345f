import type { INestApplicationContext } from '@nestjs/common';
import type { Terminal } from './terminal.js';

/** What a command works with. */
interface CommandContext {
  app: INestApplicationContext;
  terminal: Terminal;
  /** Who runs it, for the audit log. */
  actor: string;
}

/**
 * Wraps the action of a command: the application is opened for it, and closed whatever happens.
 * @param options.withExchanges the command asks exchanges, and so needs the keys of the vault.
 */
export type RunCommand = (
  work: (context: CommandContext) => Promise<void>,
  options?: { withExchanges?: boolean },
) => Promise<void>;

/** The command has done its work, and what it found is bad: exit code 1. */
export class BadFinding extends Error {}
