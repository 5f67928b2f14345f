import type { SessionParts } from '../../ccxt/ccxt-exchange.js';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { AssetBalance, KeyInfo } from '../../port/exchange.port.js';
import type { IdentityCapability } from '../../port/identity.port.js';
import { readIban, readKeyInfo } from './protocol/kraken-responses.js';
import { listBalances } from './protocol/kraken-balances.js';
import { KrakenDeposits } from './deposits/kraken-deposits.js';
import { KrakenHistory } from './withdrawals/kraken-history.js';
import { KrakenTrading } from './trading/kraken-trading.js';
import { KrakenWithdrawals } from './withdrawals/kraken-withdrawals.js';

const GET_API_KEY_INFO: Endpoint = { api: 'private', method: 'POST', path: 'GetApiKeyInfo' };

/** The capabilities of one Kraken account. */
export class KrakenSession implements SessionParts {
  readonly withdrawals: KrakenWithdrawals;
  readonly history: KrakenHistory;
  readonly deposits: KrakenDeposits;
  readonly trading: KrakenTrading;
  readonly identity: IdentityCapability;

  constructor(private readonly client: CcxtClient) {
    this.withdrawals = new KrakenWithdrawals(client);
    this.history = new KrakenHistory(client);
    this.trading = new KrakenTrading(client);
    this.deposits = new KrakenDeposits(client);
    this.identity = {
      // For a call with a key, Kraken documents no fact about the owner except the account number.
      read: async () => ({
        fullName: null,
        email: null,
        iban: await client.call(GET_API_KEY_INFO, {}, readIban),
        country: null,
      }),
    };
  }

  balances(): Promise<AssetBalance[]> {
    return listBalances(this.client);
  }

  keyInfo(): Promise<KeyInfo> {
    return this.client.call(GET_API_KEY_INFO, {}, readKeyInfo);
  }
}
