import type { Command } from 'commander';
import {
  checkExchange,
  credentialFieldsOf,
  differencesOf,
  isRemark,
  liveExchangeIds,
  toRecording,
  type CheckResult,
  writeRecording,
  type ExchangeCredentials,
} from '#exchange';
import { Clock } from '#platform/clock';
import type { Config } from '#platform/config';
import { Secret } from '#platform/crypto';
import { oneOf } from './arguments.js';
import { writeReport } from './check-report.js';
import type { AskSecret, SecretName } from './read-secret.js';
import { BadFinding, CannotRun } from './run-command.js';
import type { Terminal } from './terminal.js';

/** What the command needs. It opens neither the database nor Redis, and needs no key of the vault. */
export interface CheckParts {
  readonly config: () => Config;
  readonly secret: AskSecret;
  readonly terminal: () => Terminal;
}

interface CheckOptions {
  readonly region?: string;
  readonly asset: string;
  readonly anyKey?: true;
  /** The file of the recording; true = a new file in the current folder; false = no recording. */
  readonly recording: string | boolean;
}

/** The environment variable and the label of each credential. */
const FIELDS: Readonly<
  Record<Exclude<keyof ExchangeCredentials, 'apiRegion'>, readonly [name: SecretName, label: string]>
> = {
  apiKey: ['CHECK_API_KEY', 'API key'],
  apiSecret: ['CHECK_API_SECRET', 'secret of the key'],
  apiPassphrase: ['CHECK_API_PASSPHRASE', 'passphrase of the key'],
  apiUid: ['CHECK_API_UID', 'user id'],
};

export function addCheckCommand(exchanges: Command, parts: CheckParts): void {
  exchanges
    .command('check')
    .description(
      'compare an exchange with its documentation, with a read-only key of your own: run every reading call of the connector, and show each difference. Nothing is stored, and nothing but reading calls is sent.',
    )
    .argument('<exchange>', 'id of the exchange', oneOf(liveExchangeIds))
    .option('--region <id>', 'regional site that issued the key')
    .option('--asset <code>', 'asset whose deposit addresses are read', 'BTC')
    .option('--any-key', 'go on with a key that can also trade or withdraw')
    .option('--recording <file>', 'new file for the redacted recording (default: a file in the current folder)')
    .option('--no-recording', 'write no recording')
    .addHelpText(
      'after',
      `\nThe key is read from ${Object.values(FIELDS)
        .map(([name]) => name)
        .join(
          ', ',
        )}, else asked for without showing it, else read from standard input, one value a line.\nExit codes: 0 no differences, 1 differences, 2 the check could not run.`,
    )
    .action((exchange: string, options: CheckOptions) => check(exchange, options, parts));
}

async function check(
  exchange: string,
  { region, asset, anyKey, recording }: CheckOptions,
  parts: CheckParts,
): Promise<void> {
  const terminal = parts.terminal();
  let result: CheckResult;
  try {
    const credentials = await askCredentials(exchange, region, parts.secret);
    const account = { exchange, credentials, asset, acceptsAnyKey: anyKey === true };
    result = await checkExchange(parts.config(), new Clock(), account);
  } catch (error) {
    throw new CannotRun(error instanceof Error ? error.message : String(error), { cause: error });
  }
  const { report } = result;
  writeReport(terminal, report);
  if (report.outcome === 'not_run') throw new CannotRun(`${exchange} did not accept the key, or did not respond`);
  if (report.outcome === 'key_moves_money')
    throw new CannotRun(
      `the key can do more than read (${report.morePermissions.join(', ')}): use a key that can only read, or add --any-key`,
    );
  if (recording !== false) record(terminal, result, recording);
  const count = differencesOf(report).filter((difference) => !isRemark(difference)).length;
  if (count > 0) throw new BadFinding(`${exchange}: ${count} differences from the documented form`);
}

function record(terminal: Terminal, result: CheckResult, recording: string | true): void {
  const { report, now } = result;
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const file = recording === true ? `${report.exchange}-check-${time}.json` : recording;
  try {
    writeRecording(file, toRecording(result));
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new CannotRun(isThere ? `${file} exists already; name another file` : String(error), { cause: error });
  }
  terminal.remark(`The redacted recording is in ${file}. Look through it before you give it to anybody.`);
}

async function askCredentials(
  exchange: string,
  region: string | undefined,
  secret: AskSecret,
): Promise<ExchangeCredentials> {
  const credentials: Partial<Record<keyof ExchangeCredentials, Secret>> = {};
  for (const field of credentialFieldsOf(exchange)) {
    const [name, label] = FIELDS[field];
    credentials[field] = new Secret(await secret(name, label));
  }
  const { apiKey, ...others } = credentials;
  if (apiKey === undefined) throw new Error(`${exchange}: there is no key to enter`);
  return { apiKey, ...others, ...(region !== undefined && { apiRegion: new Secret(region) }) };
}
