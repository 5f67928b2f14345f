import { Amount } from '#money';
import type { Asset } from '../../../ccxt/asset-catalogue.js';
import type { CcxtClient, Endpoint } from '../../../ccxt/ccxt-client.js';
import { ExchangeError } from '../../../port/exchange-error.js';
import { UnusableResponse } from '../../../transport/failed-read.js';
import type { WithdrawalIntent } from '../../../port/exchange.port.js';
import { readInfo, type KrakenInfo, type KrakenMethod } from '../protocol/kraken-responses.js';
import { listBalances } from '../protocol/kraken-balances.js';
import { feeOf } from './kraken-methods.js';

const WITHDRAW_INFO: Endpoint = { api: 'private', method: 'POST', path: 'WithdrawInfo' };

/** The fee may depend on the amount and the amount, with the fee on top, on the fee; figures settle in two or three. */
const ROUNDS_MAX = 5;

/** Kraken's figures in gross: what is debited. */
export interface Figures {
  readonly gross: Amount;
  readonly fee: Amount;
  /** Most that can be debited; null = not told. */
  readonly most: Amount | null;
}

/** What WithdrawInfo says for a saved address. It takes gross amounts and tells net ones. @throws ExchangeError */
export async function askFigures(
  client: CcxtClient,
  intent: WithdrawalIntent,
  { asset, method, key }: { asset: Asset; method: KrakenMethod; key: string },
): Promise<Figures> {
  const { amount, includeFee } = intent;
  let gross = includeFee ? amount : amount.plus(intent.network.fee ?? Amount.zero);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const info: KrakenInfo = await client
      .call(WITHDRAW_INFO, { asset: asset.id, key, amount: gross.toString() }, readInfo)
      .catch((error: unknown) => {
        throw isTooLarge(error, gross, method) ? aboveMaximum(client.exchange, error) : error;
      });
    if (!info.amount.plus(info.fee).equals(gross)) {
      throw new UnusableResponse(client.exchange, 'amount and fee of WithdrawInfo do not add up');
    }
    if (includeFee || info.amount.equals(amount)) {
      return { gross, fee: info.fee, most: await mostOf(client, asset, info) };
    }
    gross = amount.plus(info.fee);
  }
  throw new UnusableResponse(client.exchange, 'the fee of this amount does not settle');
}

/** What the price list says: without a saved address there is nothing to ask about. Null = it tells no fee. */
export function priceListFigures(intent: WithdrawalIntent, method: KrakenMethod): Figures | null {
  const fee = feeOf(method, intent, intent.network.decimals);
  if (fee === null) return null;
  return { gross: intent.includeFee ? intent.amount : intent.amount.plus(fee), fee, most: null };
}

/**
 * `limit` is the most that can be sent now: of the account's limits and of its balance the smaller. When the amount is
 * above it and the balance alone is the reason, there is no maximum to speak of.
 */
async function mostOf(client: CcxtClient, asset: Asset, { amount, fee, limit }: KrakenInfo): Promise<Amount | null> {
  const most = limit.plus(fee);
  if (!amount.greaterThan(limit)) return most;
  const balance = (await listBalances(client)).find((each) => each.asset === asset.code);
  return balance === undefined || balance.free.lessThan(amount.plus(fee)) ? null : most;
}

/** "Invalid amount" is said of both ends; the minimum is known, so what reaches it is too large. */
function isTooLarge(error: unknown, gross: Amount, { minimum }: KrakenMethod): boolean {
  if (!(error instanceof ExchangeError) || error.rawCode !== 'EFunding:Invalid amount' || minimum === null)
    return false;
  // Twice the minimum covers every fee that is not told.
  return gross.greaterThan(minimum.plus(minimum));
}

function aboveMaximum(exchange: string, cause: unknown): ExchangeError {
  const options = { code: 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', rawCode: 'EFunding:Invalid amount', cause } as const;
  return new ExchangeError('refused', exchange, 'the amount is above what the exchange lets out', options);
}
