import { Amount } from '#money';
import type { Asset } from '../../../client/asset-catalogue.js';
import type { ExchangeClient, Endpoint } from '../../../client/exchange-client.js';
import { ExchangeError } from '../../../port/exchange-error.js';
import { UnusableResponse } from '../../../transport/failed-read.js';
import type { QuotedWithdrawal } from '../../../port/exchange.port.js';
import { readInfo, type KrakenInfo, type KrakenMethod } from '../protocol/kraken-responses.js';
import { listBalances } from '../protocol/kraken-balances.js';
import { feeOf } from './kraken-methods.js';

const WITHDRAW_INFO: Endpoint = { method: 'POST', path: '/0/private/WithdrawInfo' };

/**
 * Maximum number of attempts to find an amount that includes its own fee, because the fee may depend on the amount. Two
 * or three are usual.
 */
const ROUNDS_MAX = 5;

/** The figures of a withdrawal. `gross` and `most` include the fee. */
export interface Figures {
  readonly gross: Amount;
  readonly fee: Amount;
  /** The largest amount that can be debited; null = not known. */
  readonly most: Amount | null;
}

/**
 * Reads the figures of WithdrawInfo for a saved address. WithdrawInfo takes a gross amount and returns a net amount.
 * @throws ExchangeError
 */
export async function fetchFigures(
  client: ExchangeClient,
  quoted: QuotedWithdrawal,
  { asset, method, key }: { asset: Asset; method: KrakenMethod; key: string },
): Promise<Figures> {
  const { amount, includeFee } = quoted;
  let gross = includeFee ? amount : amount.plus(quoted.network.fee ?? Amount.zero);
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
  throw new UnusableResponse(client.exchange, 'each fee estimate leads to an amount with another fee');
}

/** Calculates the figures from the price list, for an account without a saved address; null = the list has no fee. */
export function priceListFigures(quoted: QuotedWithdrawal, method: KrakenMethod): Figures | null {
  const fee = feeOf(method, quoted, quoted.network.decimals);
  if (fee === null) return null;
  return { gross: quoted.includeFee ? quoted.amount : quoted.amount.plus(fee), fee, most: null };
}

/**
 * The largest amount that can be debited. WithdrawInfo's `limit` is the account's withdrawal limit or its balance,
 * whichever is smaller. null = not known: the amount exceeds `limit`, and the balance does not cover the amount, so
 * `limit` may be only the balance.
 */
async function mostOf(
  client: ExchangeClient,
  asset: Asset,
  { amount, fee, limit }: KrakenInfo,
): Promise<Amount | null> {
  const most = limit.plus(fee);
  if (!amount.greaterThan(limit)) return most;
  const balance = (await listBalances(client)).find((each) => each.asset === asset.code);
  return balance === undefined || balance.free.lessThan(amount.plus(fee)) ? null : most;
}

/**
 * Kraken returns "Invalid amount" for amounts below the minimum and above the maximum. The minimum is known, so a
 * larger amount is above the maximum.
 */
function isTooLarge(error: unknown, gross: Amount, { minimum }: KrakenMethod): boolean {
  if (!(error instanceof ExchangeError) || error.rawCode !== 'EFunding:Invalid amount' || minimum === null)
    return false;
  // The minimum is net, and the fee is not known here. We assume that no fee is higher than the minimum, so a gross
  // amount above twice the minimum is large enough.
  return gross.greaterThan(minimum.plus(minimum));
}

function aboveMaximum(exchange: string, cause: unknown): ExchangeError {
  const options = { code: 'WITHDRAWAL_AMOUNT_ABOVE_MAXIMUM', rawCode: 'EFunding:Invalid amount', cause } as const;
  return new ExchangeError('refused', exchange, 'the amount exceeds the maximum of the exchange', options);
}
