import { userInfo } from 'node:os';
import { NestFactory } from '@nestjs/core';
import { Command, CommanderError } from 'commander';
import { InvalidConfig, VERSION, type Config } from '#platform/config';
import { Keyring, SealedTables, wrongKeysIn } from '#platform/crypto';
import { databaseProblemOf } from '#platform/database';
import { DomainError } from '#platform/errors';
import { Shutdown } from '#platform/lifecycle';
import { addAuditCommands } from './audit.commands.js';
import { addCompletionCommand } from './completion.command.js';
import { CliModule } from './cli.module.js';
import { addExchangesCommands } from './exchanges.commands.js';
import { addKeysCommands } from './keys.commands.js';
import { addOrdersCommands } from './orders.commands.js';
import { addOrgsCommands } from './orgs.commands.js';
import { addProjectsCommands } from './projects.commands.js';
import type { AskSecret } from './read-secret.js';
import { BadFinding, CannotRun, type RunCommand } from './run-command.js';
import { Terminal } from './terminal.js';
import { addVaultCommands } from './vault.commands.js';
import { addWalletsCommands } from './wallets.commands.js';
import { addWebhooksCommands } from './webhooks.commands.js';
import { addWithdrawalsCommands } from './withdrawals.commands.js';

export interface CliIo {
  /** @throws InvalidConfig */
  config: () => Config;
  out: (text: string) => void;
  err: (text: string) => void;
  /** Asks for the credentials of `exchanges check`. */
  secret: AskSecret;
  /** Whether `out` writes to a terminal. */
  isTerminal: boolean;
}

const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
/** Only `exchanges check` distinguishes a check that could not run from one that found differences. */
const CANNOT_RUN = 2;

/** Runs one command line. Returns the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function runCli(args: readonly string[], io: CliIo): Promise<number> {
  try {
    await program(io).parseAsync(args, { from: 'user' });
    return DONE;
  } catch (error) {
    // Commander has already written its message, or the requested help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE;
    io.err(`error: ${explain(error)}\n`);
    return error instanceof CannotRun ? CANNOT_RUN : FAILED;
  }
}

function program(io: CliIo): Command {
  const root = new Command('causeway')
    .description(
      'Administers this installation: organizations, projects, API keys, pauses of exchanges, the keys of the vault, wallets, withdrawals and orders in review, webhooks, the audit log.',
    )
    .version(VERSION)
    .option('--json', 'write JSON instead of a table')
    .addHelpText(
      'after',
      '\nReads DATABASE_URL and API_KEY_PEPPER from the environment. Commands about the vault, wallets, withdrawals, orders and webhooks also need the keys of the vault (VAULT_KEYS_FILE or VAULT_KEYS). Without DATABASE_URL, the installation of npm start (.local) is used.\nExit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    )
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .showHelpAfterError('(add --help for the usage)')
    .exitOverride();
  const terminal = (): Terminal => new Terminal(io.out, root.opts<{ json?: boolean }>().json === true, io.isTerminal);
  const run: RunCommand = async (work, { withExchanges = false } = {}) => {
    const config = io.config();
    requireSettings(config, withExchanges);
    const app = await NestFactory.createApplicationContext(CliModule.forRoot(config, withExchanges), {
      logger: false,
      abortOnError: false,
    });
    try {
      if (withExchanges) await requireRightKeys(app.get(SealedTables));
      await work({ app, terminal: terminal(), actor: `command line (${accountName()})` });
    } finally {
      await app.get(Shutdown).begin();
      await app.close();
    }
  };
  addOrgsCommands(root, run);
  addProjectsCommands(root, run);
  addKeysCommands(root, run);
  addExchangesCommands(root, run, { config: io.config, secret: io.secret, terminal });
  addVaultCommands(root, run);
  addWalletsCommands(root, run);
  addWithdrawalsCommands(root, run);
  addOrdersCommands(root, run);
  addWebhooksCommands(root, run);
  addAuditCommands(root, run);
  addCompletionCommand(root, io.out);
  return root;
}

function requireSettings(config: Config, withExchanges: boolean): void {
  const needed = ['DATABASE_URL', 'API_KEY_PEPPER'] as const;
  const problems = needed.filter((key) => config.values[key] === undefined).map((key) => `${key}: is not set`);
  try {
    if (withExchanges) Keyring.fromConfig(config);
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (problems.length > 0) throw new InvalidConfig(problems);
}

/** @throws InvalidConfig when a key has other bytes than those of the stored records. API and worker refuse it, too. */
async function requireRightKeys(samples: SealedTables): Promise<void> {
  const wrong = wrongKeysIn(await samples.findProblems());
  if (wrong !== null) throw new InvalidConfig([wrong]);
}

/** The name of the operating-system user. A container may run under a user id without a name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function explain(error: unknown): string {
  const isFinding = error instanceof BadFinding || error instanceof CannotRun;
  if (isFinding || error instanceof DomainError || error instanceof InvalidConfig) return error.message;
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') {
    return `the database does not respond (${code}): check DATABASE_URL, or run npm start if DATABASE_URL is not set`;
  }
  return databaseProblemOf(error) ?? error.stack ?? error.message;
}
