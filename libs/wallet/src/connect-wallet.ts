import { Inject, Injectable } from '@nestjs/common';
import type { ProjectIdentity } from '#access';
import { Exchanges, type CredentialField, type ExchangeCredentials, type ExchangeSpec } from '#exchange';
import { Clock } from '#platform/clock';
import { Config } from '#platform/config';
import type { Secret } from '#platform/crypto';
import { Database } from '#platform/database';
import { InvalidRequest, ValidationFailed } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import { GetWallet, type WalletWithBalances } from './get-wallet.js';
import { saysInvalid, toDomainError } from './exchange-refusal.js';
import { WalletBalances } from './wallet-balances.service.js';
import { WalletCredentials } from './wallet-credentials.service.js';
import { WalletInvalidCredentials } from './wallet.errors.js';
import { Wallets } from './wallets.service.js';

export interface ConnectWalletInput {
  /** The caller's own id of the wallet. */
  walletId: string;
  exchange: string;
  /** What the caller gave; what the exchange does not ask for is not kept. */
  credentials: Partial<Record<CredentialField, Secret>>;
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
    private readonly wallets: Wallets,
    private readonly getWallet: GetWallet,
    private readonly credentials: WalletCredentials,
    private readonly balances: WalletBalances,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Nothing is stored before the exchange has accepted the credentials in a live call. The balances come after that, as
   * far as they can be had.
   * @throws InvalidRequest for an exchange that the project cannot connect to, and for a walletId of another exchange.
   * @throws ValidationFailed naming each credential that the exchange needs and that is missing.
   * @throws WalletInvalidCredentials, ProviderError
   */
  async execute(project: ProjectIdentity, input: ConnectWalletInput): Promise<ConnectedWallet> {
    const spec = this.getSpec(project, input.exchange);
    const credentials = pickCredentials(spec, input.credentials);
    const existing = await this.wallets.find(project, input.walletId);
    if (existing !== null && existing.exchange !== spec.id) throw otherExchange();
    await this.test(project, spec, credentials);
    const stored = await this.store(project, { walletId: input.walletId, exchange: spec.id, credentials });
    try {
      await this.balances.refresh({ id: stored.id }, { autoDelete: false });
    } catch (error) {
      this.logger.warn(
        { err: error, projectId: project.id, walletId: input.walletId },
        'first sync of a wallet failed',
      );
    }
    return { ...(await this.getWallet.execute(project, input.walletId)), created: stored.created };
  }

  private getSpec(project: ProjectIdentity, exchange: string): ExchangeSpec {
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

  private async test(project: ProjectIdentity, spec: ExchangeSpec, credentials: ExchangeCredentials): Promise<void> {
    const target = {
      exchange: spec.id,
      mode: project.mode,
      credentials,
      credentialId: `connect:${this.clock.newId()}`,
    };
    try {
      const session = await this.exchanges.openFresh(target);
      await session.keyInfo();
    } catch (error) {
      throw saysInvalid(error) ? new WalletInvalidCredentials(false, error) : toDomainError(error);
    }
  }

  private store(
    project: ProjectIdentity,
    input: { walletId: string; exchange: string; credentials: ExchangeCredentials },
  ): Promise<{ id: string; created: boolean }> {
    const proposedId = this.clock.newId();
    const now = this.clock.now();
    // Until then the first read is the connecting call's own; after it, the background's.
    const nextSyncAt = new Date(now.getTime() + this.config.values.WALLET_SYNC_BACKOFF_SECONDS * 1_000);
    return this.db.transaction(async (tx) => {
      // One statement decides between concurrent connects of one walletId; no row comes back for another exchange.
      const [wallet] = await this.db.query<{ id: string }>(
        `insert into wallets (id, project_id, wallet_id, exchange, created_at, updated_at, next_sync_at)
         values ($1, $2, $3, $4, $5, $5, $6)
         on conflict (project_id, wallet_id) where deleted_at is null
         do update set invalid_api = false, updated_at = excluded.updated_at, sync_failures = 0,
                       next_sync_at = excluded.next_sync_at
             where wallets.exchange = excluded.exchange
         returning id`,
        [proposedId, project.id, input.walletId, input.exchange, now, nextSyncAt],
        tx,
      );
      if (wallet === undefined) throw otherExchange();
      await this.credentials.store(tx, { project, walletUuid: wallet.id }, input.credentials);
      return { id: wallet.id, created: wallet.id === proposedId };
    });
  }
}

/** What the exchange needs, and nothing else. */
function pickCredentials(spec: ExchangeSpec, given: ConnectWalletInput['credentials']): ExchangeCredentials {
  const { apiKey } = given;
  const missing = spec.credentialFields.filter((field) => given[field] === undefined);
  if (missing.length > 0 || apiKey === undefined) {
    throw new ValidationFailed(missing.map((field) => ({ field, message: `${field} is required by ${spec.name}` })));
  }
  const entries = Object.entries(given).filter(([field]) => spec.credentialFields.some((needed) => needed === field));
  return { apiKey, ...Object.fromEntries(entries) };
}

function otherExchange(): InvalidRequest {
  return new InvalidRequest(
    'The wallet is connected to another exchange: delete it first, or connect under another wallet id',
  );
}
