import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import { Exchanges, type CredentialField, type ExchangeCredentials, type ExchangeSpec, type KeyInfo } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import { Vault, type Sealer, type Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { Conflict, InvalidRequest, logFailedWork, ValidationFailed } from '#platform/errors';
import { Events } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectFailures, type ConnectClient } from './connect-failures.js';
import { GetWallet, type WalletWithBalances } from '../reading/get-wallet.js';
import { isInvalidCredentials, toDomainError } from '../failures/exchange-failure.js';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { WalletInvalidCredentials } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';

export interface ConnectWalletInput {
  /** The caller's own id of the wallet. */
  externalWalletId: string;
  exchange: string;
  /** The credentials of the request. Fields that the exchange does not need are not stored. */
  credentials: Partial<Record<CredentialField, Secret>>;
  /** true: the owner authorized these credentials at the exchange. They may be a bearer token alone. */
  authorized?: boolean;
  /** The client whose failed connects count. Absent = a client with an API key, counted by `externalWalletId`. */
  client?: ConnectClient;
  /**
   * true: refuses an id that the project has used before, also for a deleted wallet. A client that still uses the old
   * id must not reach another account.
   */
  onlyNew?: boolean;
  /** Stores more rows in the transaction of the connect. When this function throws, nothing is stored. */
  also?: (tx: EntityManager, stored: StoredWallet) => Promise<void>;
}

/** A wallet whose credentials were stored by this connect. */
export interface StoredWallet {
  /** Our id of the wallet (`Wallet.id`). */
  walletId: string;
  /** false: the wallet was connected before. */
  created: boolean;
  /** Seals further secrets of this connect. */
  sealer: Sealer;
}

export interface ConnectedWallet extends WalletWithBalances {
  /** false: the wallet was connected before, and its credentials were replaced. */
  created: boolean;
}

/** Connects an account at an exchange, or replaces the credentials of a connected wallet. */
@Injectable()
export class ConnectWallet {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly exchanges: Exchanges,
    private readonly failures: ConnectFailures,
    private readonly wallets: Wallets,
    private readonly getWallet: GetWallet,
    private readonly credentials: WalletCredentials,
    private readonly vault: Vault,
    private readonly balances: WalletBalances,
    private readonly flag: InvalidApiFlag,
    private readonly events: Events,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores the wallet after the exchange has accepted the credentials in a live call. Then it reads the balances; when
   * the reading fails, the wallet is still connected.
   * @throws InvalidRequest for an exchange that the project cannot connect to, and for a wallet that is connected to
   *   another exchange.
   * @throws ValidationFailed with each credential that the exchange needs and that is missing.
   * @throws WalletInvalidCredentials, ProviderError
   * @throws RateLimitExceeded when too many connects of the project or of this client failed at this exchange; then the
   *   exchange is not called.
   */
  async execute(project: ProjectIdentity, input: ConnectWalletInput): Promise<ConnectedWallet> {
    const spec = this.getSpec(project, input.exchange);
    const credentials = pickCredentials(spec, input);
    await this.check(project, input);
    await this.test(project, input, { spec, credentials });
    const stored = await this.store(project, { ...input, exchange: spec.id }, credentials);
    try {
      await this.balances.refresh({ id: stored.id }, { autoDelete: false });
    } catch (error) {
      const facts = { projectId: project.id, walletId: input.externalWalletId };
      logFailedWork(this.logger, error, 'the first sync of a wallet failed', facts);
    }
    return { ...(await this.getWallet.execute(project, input.externalWalletId)), created: stored.created };
  }

  /**
   * Makes the checks of `execute` that need no credentials.
   * @throws InvalidRequest under the same conditions as `execute`.
   */
  async check(
    project: ProjectIdentity,
    {
      exchange,
      externalWalletId,
      onlyNew = false,
    }: Pick<ConnectWalletInput, 'exchange' | 'externalWalletId' | 'onlyNew'>,
  ): Promise<void> {
    if (onlyNew && (await this.wallets.wasConnected(project, externalWalletId))) throw connectedAlready();
    const existing = await this.wallets.find(project, externalWalletId);
    if (existing !== null && existing.exchange !== this.getSpec(project, exchange).id) throw otherExchange();
  }

  /** Returns the exchange of the wallet with this id; null = there is no such wallet. */
  async exchangeOf(project: ProjectIdentity, externalWalletId: string): Promise<string | null> {
    return (await this.wallets.find(project, externalWalletId))?.exchange ?? null;
  }

  /**
   * Reads what the exchange reports about the credentials, in a live call. Stores nothing.
   * @throws the errors of `execute` about the exchange and the credentials
   */
  async inspect(
    project: ProjectIdentity,
    input: Pick<ConnectWalletInput, 'externalWalletId' | 'exchange' | 'credentials' | 'authorized' | 'client'>,
  ): Promise<KeyInfo> {
    const spec = this.getSpec(project, input.exchange);
    return await this.test(project, input, { spec, credentials: pickCredentials(spec, input) });
  }

  /**
   * Returns the declaration of an exchange that projects of this mode can connect to.
   * @throws InvalidRequest with the list of the exchanges that such projects can connect to.
   */
  getSpec(project: Pick<ProjectIdentity, 'mode'>, exchange: string): ExchangeSpec {
    // Wallets of test projects are at the sandbox exchange; wallets of live projects never are.
    const supported = this.exchanges
      .specs()
      .filter((spec) => (project.mode === 'test' ? spec.hasSandbox : !spec.sandboxOnly));
    const spec = supported.find(({ id }) => id === exchange);
    if (spec !== undefined) return spec;
    throw new InvalidRequest(`This exchange is not supported in ${project.mode} projects`, {
      supportedExchanges: supported.map(({ id }) => id),
    });
  }

  private async test(
    project: ProjectIdentity,
    {
      externalWalletId,
      authorized = false,
      client,
    }: Pick<ConnectWalletInput, 'externalWalletId' | 'authorized' | 'client'>,
    { spec, credentials }: { spec: ExchangeSpec; credentials: ExchangeCredentials },
  ): Promise<KeyInfo> {
    const credentialId = `connect:${this.clock.newId()}`;
    const ask = async (): Promise<KeyInfo> => {
      const session = await this.exchanges.openFresh({
        exchange: spec.id,
        mode: project.mode,
        credentials,
        credentialId,
      });
      return await session.keyInfo();
    };
    try {
      // The exchange has just issued an authorized token itself, so this connect cannot be an attempt to guess keys and
      // needs no limit.
      if (authorized) return await ask();
      const target = {
        projectId: project.id,
        exchange: spec.id,
        client: client ?? { isKeyless: false, name: externalWalletId },
      };
      return await this.failures.limit(target, ask);
    } catch (error) {
      throw isInvalidCredentials(error)
        ? new WalletInvalidCredentials({ walletDeleted: false, deletionAt: null, reason: error.reason }, error)
        : toDomainError(error);
    }
  }

  private async store(
    project: ProjectIdentity,
    input: ConnectWalletInput,
    credentials: ExchangeCredentials,
  ): Promise<{ id: string; created: boolean }> {
    const proposedId = this.clock.newId();
    const now = this.clock.now();
    // This call reads the balances itself after it has stored the wallet. If that read fails, the worker reads the
    // balances at `nextSyncAt`.
    const nextSyncAt = new Date(now.getTime() + this.config.constants.WALLET_SYNC_BACKOFF_SECONDS * 1_000);
    const sealer = await this.vault.sealer(project);
    return this.db.transaction(async (tx) => {
      // One statement decides between concurrent connects of one walletId. It returns no row when the stored wallet is
      // at another exchange.
      const [wallet] = await this.db.query<{ id: string }>(
        `insert into wallets (id, project_id, external_id, exchange, created_at, updated_at, next_sync_at)
         values ($1, $2, $3, $4, $5, $5, $6)
         on conflict (project_id, external_id) where deleted_at is null
         do update set updated_at = excluded.updated_at, sync_failures = 0, next_sync_at = excluded.next_sync_at
             where wallets.exchange = excluded.exchange
         returning id`,
        [proposedId, project.id, input.externalWalletId, input.exchange, now, nextSyncAt],
        tx,
      );
      if (wallet === undefined) throw input.onlyNew === true ? connectedAlready() : otherExchange();
      const stored = { walletId: wallet.id, created: wallet.id === proposedId, sealer };
      if (input.onlyNew === true && !(await this.isFirst(tx, project, input, stored))) throw connectedAlready();
      await this.credentials.store(tx, { project, walletId: wallet.id }, credentials, sealer);
      await this.flag.clear(tx, wallet.id);
      if (stored.created) {
        const data = { walletId: input.externalWalletId, exchange: input.exchange };
        await this.events.record(tx, [
          { projectId: project.id, type: 'wallet.created', subject: input.externalWalletId, data },
        ]);
      }
      await input.also?.(tx, stored);
      return { id: wallet.id, created: stored.created };
    });
  }

  /**
   * Whether the project has never used this id before. Call it after the insert: the unique index allows only one
   * connected wallet, so every earlier wallet with the id has been deleted by then, and its row is visible.
   */
  private async isFirst(
    tx: EntityManager,
    project: ProjectIdentity,
    { externalWalletId }: ConnectWalletInput,
    { created }: StoredWallet,
  ): Promise<boolean> {
    if (!created) return false;
    const earlier = await this.db.query(
      `select from wallets where project_id = $1 and external_id = $2 and deleted_at is not null limit 1`,
      [project.id, externalWalletId],
      tx,
    );
    return earlier.length === 0;
  }
}

/** Picks the credentials that the exchange needs. */
function pickCredentials(
  spec: ExchangeSpec,
  input: Pick<ConnectWalletInput, 'credentials' | 'authorized'>,
): ExchangeCredentials {
  const { credentials: given, authorized = false } = input;
  const { apiKey } = given;
  const missing = authorized ? [] : spec.credentialFields.filter((field) => given[field] === undefined);
  if (missing.length > 0 || apiKey === undefined) {
    throw new ValidationFailed(missing.map((field) => ({ field, message: `${field} is required by ${spec.name}` })));
  }
  const { apiRegion } = given;
  if (apiRegion !== undefined) requireRegion(spec, apiRegion.reveal());
  const fields = [...spec.credentialFields, 'apiRegion'];
  const entries = Object.entries(given).filter(([field]) => fields.includes(field));
  return { apiKey, ...Object.fromEntries(entries) };
}

/** @throws ValidationFailed when the exchange has no such regional site */
function requireRegion({ name, regions = [] }: ExchangeSpec, region: string): void {
  const ids = regions.map(({ id }) => id);
  if (ids.includes(region)) return;
  const allowed = ids.length === 0 ? `${name} has no regions: leave apiRegion out` : `use one of ${ids.join(', ')}`;
  throw new ValidationFailed([{ field: 'apiRegion', message: `apiRegion: ${allowed}` }]);
}

/**
 * Makes the same error for connected and deleted wallets, because a caller that may only add wallets must not learn
 * which ids are connected.
 */
function connectedAlready(): InvalidRequest {
  return new Conflict(
    'This wallet id is or was in use: request the link with an API key of the project, or choose another wallet id',
  );
}

function otherExchange(): InvalidRequest {
  return new InvalidRequest(
    'The wallet is connected to another exchange: delete it first, or connect under another wallet id',
  );
}
