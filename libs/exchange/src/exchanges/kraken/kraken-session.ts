import { Amount } from '#money';
import type { CcxtClient, Endpoint } from '../../ccxt/ccxt-client.js';
import type { AssetBalance, ExchangeSession, KeyInfo } from '../../exchange.port.js';
import { readBalances, readKeyInfo } from './kraken-answers.js';
import { KrakenWithdrawals } from './kraken-withdrawals.js';

const privateCall = (path: string): Endpoint => ({ api: 'private', method: 'POST', path });
const BALANCE_EX = privateCall('BalanceEx');
const GET_API_KEY_INFO = privateCall('GetApiKeyInfo');

/** What can be asked of one Kraken account. */
export class KrakenSession implements Pick<ExchangeSession, 'balances' | 'keyInfo' | 'withdrawals'> {
  readonly withdrawals: KrakenWithdrawals;

  constructor(private readonly client: CcxtClient) {
    this.withdrawals = new KrakenWithdrawals(client);
  }

  async balances(): Promise<AssetBalance[]> {
    const assets = await this.client.assets();
    const balances = await this.client.call(BALANCE_EX, {}, readBalances);
    const byAsset = new Map<string, AssetBalance>();
    for (const [id, { balance, hold_trade: held }] of Object.entries(balances)) {
      const asset = assets.codeOf(id);
      const before = byAsset.get(asset) ?? { asset, free: Amount.zero, used: Amount.zero, total: Amount.zero };
      byAsset.set(asset, {
        asset,
        free: before.free.plus(balance.minus(held)),
        used: before.used.plus(held),
        total: before.total.plus(balance),
      });
    }
    return [...byAsset.values()];
  }

  async keyInfo(): Promise<KeyInfo> {
    return this.client.call(GET_API_KEY_INFO, {}, readKeyInfo);
  }
}
