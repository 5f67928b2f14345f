import { Inject, Injectable } from '@nestjs/common';
import { foldedName, type ChosenAsset, type DepositMethod, type ReceivingAddress } from '#exchange';
import { Amount } from '#money';
import { Clock, CLOCK_ERROR_MS } from '#platform/clock';
import { Database } from '#platform/database';
import { logFailedWork } from '#platform/errors';
import { LOGGER, type Logger } from '#platform/logging';

/** A wallet, an asset and a network. At most one address is stored for these three. */
export interface AddressKey {
  walletId: string;
  asset: string;
  /** Our network id. */
  network: string;
}

type StoredKey = AddressKey & Pick<ChosenAsset, 'folded'>;

/** An address at the exchange, and what the exchange reports about the deposit method of the address. */
export interface DepositAddress extends ReceivingAddress, Omit<DepositMethod, 'asset' | 'network'> {
  /** The time just before the request to the exchange. */
  fetchedAt: Date;
}

type Row = Omit<DepositAddress, 'minimum' | 'fee' | 'limit'> & Record<'minimum' | 'fee' | 'limit', string | null>;

/** The last address that each wallet got for each asset and network. */
@Injectable()
export class DepositAddresses {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the stored address, however old it is; null = none is stored. Also returns null when the credentials were
   * replaced after the address was requested, because the address may belong to another account.
   */
  async find({ walletId, asset, network }: AddressKey): Promise<DepositAddress | null> {
    const found = await this.findNamed(walletId, asset, network);
    return found?.asset === asset ? found : null;
  }

  /**
   * The same for an asset as a caller has written it: by its code, or else by another spelling if this spelling named
   * no other asset of the exchange when the address was stored.
   */
  async findNamed(
    walletId: string,
    text: string,
    network: string,
  ): Promise<(DepositAddress & { asset: string }) | null> {
    const [row] = await this.db.query<Row & { asset: string }>(
      `select asset, exchange_method_id as "exchangeMethodId", address, tag, tag_type as "tagType", minimum, fee, "limit",
              can_generate as "canGenerateAddress", expires_at as "expiresAt", fetched_at as "fetchedAt"
         from deposit_addresses a join current_credentials c on c.wallet_id = a.wallet_id
        where a.wallet_id = $1 and (a.asset = $2 or a.asset_folded = $4) and a.network = $3 and c.version = a.credential_version
        order by a.asset = $2 desc limit 1`,
      [walletId, text, network, foldedName(text)],
    );
    if (row === undefined) return null;
    return { ...row, minimum: toAmount(row.minimum), fee: toAmount(row.fee), limit: toAmount(row.limit) };
  }

  /**
   * Replaces the stored address, unless the stored one comes from a later request with the same credentials. A stored
   * address whose time is more than CLOCK_ERROR_MS in the future counts as older. Stores nothing when the credentials
   * were replaced after the request or the wallet was deleted. A failure is only logged: the caller still gets the
   * address, and a later call requests the address again.
   * @param credentialVersion as `WalletSessions.use` passes it.
   */
  async record(key: StoredKey, given: DepositAddress, credentialVersion: string): Promise<void> {
    try {
      await this.store(key, given, credentialVersion);
    } catch (error) {
      const facts = { wallet: key.walletId };
      logFailedWork(this.logger, error, 'a deposit address was returned but not stored', facts);
    }
  }

  private async store(
    { walletId, asset, folded, network }: StoredKey,
    given: DepositAddress,
    credentialVersion: string,
  ): Promise<void> {
    await this.db.query(
      `insert into deposit_addresses as a
              (wallet_id, asset, network, exchange_method_id, address, tag, tag_type, minimum, fee, "limit", can_generate, expires_at, fetched_at, credential_version, asset_folded)
       select w.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $16
         from wallets w join current_credentials c on c.wallet_id = w.id
        where w.id = $1 and w.deleted_at is null and c.version = $14 for share of w
       on conflict (wallet_id, asset, network) do update
          set exchange_method_id = excluded.exchange_method_id, address = excluded.address, tag = excluded.tag,
              tag_type = excluded.tag_type, minimum = excluded.minimum, fee = excluded.fee, "limit" = excluded."limit",
              can_generate = excluded.can_generate, expires_at = excluded.expires_at, fetched_at = excluded.fetched_at,
              credential_version = excluded.credential_version, asset_folded = excluded.asset_folded
        where a.fetched_at <= excluded.fetched_at or a.fetched_at > $15 or a.credential_version <> excluded.credential_version`,
      [
        walletId,
        asset,
        network,
        given.exchangeMethodId,
        given.address,
        given.tag,
        given.tagType,
        given.minimum?.toString() ?? null,
        given.fee?.toString() ?? null,
        given.limit?.toString() ?? null,
        given.canGenerateAddress,
        given.expiresAt,
        given.fetchedAt,
        credentialVersion,
        new Date(this.clock.now().getTime() + CLOCK_ERROR_MS),
        folded,
      ],
    );
  }
}

export function toDepositAddress(method: DepositMethod, given: ReceivingAddress, fetchedAt: Date): DepositAddress {
  const { exchangeMethodId, tagType, minimum, fee, limit, canGenerateAddress } = method;
  const { address, tag, expiresAt } = given;
  return { address, tag, expiresAt, exchangeMethodId, tagType, minimum, fee, limit, canGenerateAddress, fetchedAt };
}

function toAmount(stored: string | null): Amount | null {
  return stored === null ? null : Amount.of(stored);
}
