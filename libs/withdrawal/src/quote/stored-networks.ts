import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { DatedNetworks, WithdrawalNetwork } from '#exchange';
import { Amount } from '#money';
import { Clock, CLOCK_ERROR_MS } from '#platform/clock';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';
import type { Wallet } from '#wallet';

type AmountField = 'minWithdrawal' | 'maxWithdrawal' | 'fee';
type StoredNetwork = Omit<WithdrawalNetwork, AmountField> & Record<AmountField, string | null>;

/** Stores the withdrawal networks that the exchange last listed for each wallet, one row for a wallet. */
@Injectable()
export class StoredNetworks {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the stored networks, however old they are. Returns null when none are stored, or when the credentials were
   * replaced after the networks were read.
   */
  async find({ id }: Pick<Wallet, 'id'>): Promise<DatedNetworks | null> {
    const [row] = await this.db.query<{ networks: StoredNetwork[]; readAt: Date }>(
      `select networks, fetched_at as "readAt"
         from wallet_networks n join current_credentials c on c.wallet_id = n.wallet_id
        where n.wallet_id = $1 and c.version = n.credential_version`,
      [id],
    );
    return row === undefined ? null : { networks: row.networks.map(fromStored), readAt: row.readAt };
  }

  /**
   * Stores networks. Of unchanged networks, updates only the time. Writes nothing when newer networks are stored, the
   * credentials were replaced, or the wallet was deleted. A failure is only logged: the caller has the networks, and
   * the next request reads them again.
   * @param credentialVersion the version that `WalletSessions.use` has passed.
   */
  async record(wallet: Pick<Wallet, 'id'>, networks: DatedNetworks, credentialVersion: string): Promise<void> {
    try {
      await this.store(wallet, networks, credentialVersion);
    } catch (error) {
      logFailedWork(this.logger, error, 'the networks of a wallet were not stored', { wallet: wallet.id });
    }
  }

  private async store(
    { id }: Pick<Wallet, 'id'>,
    { networks, readAt }: DatedNetworks,
    credentialVersion: string,
  ): Promise<void> {
    // A stored time that is later than `latest` comes from a host with a wrong clock. Such a row must not prevent the
    // storing of newer networks.
    const latest = new Date(this.clock.now().getTime() + CLOCK_ERROR_MS);
    const [stored] = await this.db.query<{ digest: Buffer; readAt: Date }>(
      `select digest, fetched_at as "readAt" from wallet_networks where wallet_id = $1 and credential_version = $2 and fetched_at <= $3`,
      [id, credentialVersion, latest],
    );
    if (stored !== undefined && stored.readAt >= readAt) return;
    const text = JSON.stringify(networks);
    const digest = createHash('sha256').update(text).digest();
    if (stored?.digest.equals(digest) === true) {
      await this.db.query(
        `update wallet_networks set fetched_at = greatest(fetched_at, $3) where wallet_id = $1 and digest = $2 and credential_version = $4`,
        [id, digest, readAt, credentialVersion],
      );
      return;
    }
    await this.db.query(
      `insert into wallet_networks as n (wallet_id, networks, digest, fetched_at, credential_version)
       select w.id, $2, $3, $4, $5
         from wallets w join current_credentials c on c.wallet_id = w.id
        where w.id = $1 and w.deleted_at is null and c.version = $5 for share of w
       on conflict (wallet_id) do update
          set networks = excluded.networks, digest = excluded.digest, fetched_at = excluded.fetched_at,
              credential_version = excluded.credential_version
        where n.fetched_at <= excluded.fetched_at or n.fetched_at > $6 or n.credential_version <> excluded.credential_version`,
      [id, text, digest, readAt, credentialVersion, latest],
    );
  }
}

function fromStored(stored: StoredNetwork): WithdrawalNetwork {
  const { minWithdrawal, maxWithdrawal, fee } = stored;
  return {
    ...stored,
    minWithdrawal: toAmount(minWithdrawal),
    maxWithdrawal: toAmount(maxWithdrawal),
    fee: toAmount(fee),
  };
}

function toAmount(text: string | null): Amount | null {
  return text === null ? null : Amount.of(text);
}
