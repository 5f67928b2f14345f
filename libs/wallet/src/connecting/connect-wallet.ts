import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectIdentity } from '#access';
import { Exchanges, type CredentialField, type ExchangeCredentials, type ExchangeSpec, type KeyInfo } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { InvalidRequest, ValidationFailed, logFailedWork } from '#platform/errors';
import { Events } from '#platform/events';
import { LOGGER, type Logger } from '#platform/logging';
import { ConnectFailures } from './connect-failures.js';
import { GetWallet, type WalletWithBalances } from '../reading/get-wallet.js';
import { saysInvalid, toDomainError } from '../failures/exchange-failure.js';
import { InvalidApiFlag } from '../wallets/invalid-api-flag.js';
import { WalletBalances } from '../balances/wallet-balances.service.js';
import { WalletCredentials } from '../credentials/wallet-credentials.service.js';
import { WalletInvalidCredentials } from '../wallets/wallet.errors.js';
import { Wallets } from '../wallets/wallets.service.js';

export interface ConnectWalletInput {
  /** The caller's own id of the wallet. */
  externalWalletId: string;
  exchange: string;
  /** What the caller gave; what the exchange does not ask for is not kept. */
  credentials: Partial<Record<CredentialField, Secret>>;
  /** true: what a person authorized at the exchange, which may be less than a pasted key has (a bearer token alone). */
  authorized?: boolean;
  /** true: only if the project never had a wallet of this id: who used one that is gone may go on trusting its id. */
  onlyNew?: boolean;
  /** Stores what belongs to the connection in its transaction; when it throws, nothing is connected. */
  also?: (tx: EntityManager, stored: StoredWallet) => Promise<void>;
}

/** A wallet whose credentials have been stored just now. */
export interface StoredWallet {
  /** `Wallet.id` */
  walletId: string;
  /** false: it was connected before. */
  created: boolean;
}

export interface ConnectedWallet extends WalletWithBalances {
  /** false: the wallet was there and its credentials were replaced. */
  created: boolean;
}

/** Connects an account at an exchange, or replaces the credentials of one that is connected already. */
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
    private readonly balances: WalletBalances,
    private readonly mark: InvalidApiFlag,
    private readonly events: Events,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Nothing is stored before the exchange has accepted the credentials in a live call. The balances come after that, as
   * far as they can be had.
   * @throws InvalidRequest for an exchange that the project cannot connect to, and for a walletId of another exchange.
   * @throws ValidationFailed naming each credential that the exchange needs and that is missing.
   * @throws WalletInvalidCredentials, ProviderError
   * @throws RateLimitExceeded when too many connects of the project failed at this exchange, which is not asked then.
   */
  async execute(project: ProjectIdentity, input: ConnectWalletInput): Promise<ConnectedWallet> {
    const spec = this.getSpec(project, input.exchange);
    const credentials = pickCredentials(spec, input);
    await this.check(project, input);
    await this.test(project, spec, { credentials, isAuthorized: input.authorized ?? false });
    const stored = await this.store(project, { ...input, exchange: spec.id }, credentials);
    try {
      await this.balances.refresh({ id: stored.id }, { autoDelete: false });
    } catch (error) {
      const facts = { projectId: project.id, walletId: input.externalWalletId };
      logFailedWork(this.logger, error, 'first sync of a wallet failed', facts);
    }
    return { ...(await this.getWallet.execute(project, input.externalWalletId)), created: stored.created };
  }

  /**
   * What of the above can be told before there are credentials.
   * @throws InvalidRequest as `execute`
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

  /**
   * What the exchange tells of the credentials, in a live call. Stores nothing.
   * @throws as `execute` where it is about the exchange or the credentials
   */
  async inspect(
    project: ProjectIdentity,
    input: Pick<ConnectWalletInput, 'exchange' | 'credentials' | 'authorized'>,
  ): Promise<KeyInfo> {
    const spec = this.getSpec(project, input.exchange);
    const credentials = pickCredentials(spec, input);
    return await this.test(project, spec, { credentials, isAuthorized: input.authorized ?? false });
  }

  /**
   * The exchange, as far as a project of this mode can connect to it.
   * @throws InvalidRequest naming those that it can connect to
   */
  getSpec(project: Pick<ProjectIdentity, 'mode'>, exchange: string): ExchangeSpec {
    // The wallets of a test project live at the sandbox exchange, and those of a live one never do.
    const supported = this.exchanges
      .specs()
      .filter((spec) => (project.mode === 'test' ? spec.hasSandbox : !spec.sandboxOnly));
    const spec = supported.find(({ id }) => id === exchange);
    if (spec !== undefined) return spec;
    throw new InvalidRequest(`This exchange is not supported in ${project.mode} projects`, {
      details: { supportedExchanges: supported.map(({ id }) => id) },
    });
  }

  private async test(
    project: ProjectIdentity,
    spec: ExchangeSpec,
    { credentials, isAuthorized }: { credentials: ExchangeCredentials; isAuthorized: boolean },
  ): Promise<KeyInfo> {
    const target = {
      exchange: spec.id,
      mode: project.mode,
      credentials,
      credentialId: `connect:${this.clock.newId()}`,
    };
    const ask = async (): Promise<KeyInfo> => {
      const session = await this.exchanges.openFresh(target);
      return await session.keyInfo();
    };
    try {
      // The exchange itself has just issued what was authorized: nobody can try random keys that way.
      return isAuthorized ? await ask() : await this.failures.limit({ projectId: project.id, exchange: spec.id }, ask);
    } catch (error) {
      throw saysInvalid(error)
        ? new WalletInvalidCredentials({ walletDeleted: false, deletionAt: null }, error)
        : toDomainError(error);
    }
  }

  private store(
    project: ProjectIdentity,
    input: ConnectWalletInput,
    credentials: ExchangeCredentials,
  ): Promise<{ id: string; created: boolean }> {
    const proposedId = this.clock.newId();
    const now = this.clock.now();
    // Until then the first read is the connecting call's own; after it, the background's.
    const nextSyncAt = new Date(now.getTime() + this.config.values.WALLET_SYNC_BACKOFF_SECONDS * 1_000);
    return this.db.transaction(async (tx) => {
      // One statement decides between concurrent connects of one walletId; no row comes back for another exchange.
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
      const stored = { walletId: wallet.id, created: wallet.id === proposedId };
      if (input.onlyNew === true && !(await this.isFirst(tx, project, input, stored))) throw connectedAlready();
      await this.credentials.store(tx, { project, walletId: wallet.id }, credentials);
      await this.mark.takeBack(tx, wallet.id);
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

  /** Asked after the insert: from then on whoever has had the id is deleted and visible, and nobody else can have it. */
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

/** What the exchange needs, and nothing else. */
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
  const entries = Object.entries(given).filter(([field]) => spec.credentialFields.some((needed) => needed === field));
  return { apiKey, ...Object.fromEntries(entries) };
}

/** The same word for every wallet: who may only add one is not told where the others are, or were. */
function connectedAlready(): InvalidRequest {
  return new InvalidRequest('A wallet of this id is connected, or was: to connect it again takes an API key', {
    status: 409,
  });
}

function otherExchange(): InvalidRequest {
  return new InvalidRequest(
    'The wallet is connected to another exchange: delete it first, or connect under another wallet id',
  );
}
