import { z } from 'zod';
import { Amount } from '#money';
import { allowsWithdrawals, type FundingMethod, type SandboxAsset } from '../../catalogue.js';
import { addressRule } from '../../data/address-rules.js';
import { amountText } from '../../amount-text.js';
import type { PartnerCaller } from '../handler.js';
import { bookKey, findNetwork, getAsset, tagTypeOf } from '../networks.js';
import { PartnerError } from '../partner-error.js';

const ADDRESS_LENGTH_MAX = 1_100;
const MEMO_LENGTH_MAX = 120;
/** A destination tag is an unsigned 32-bit integer. */
const DESTINATION_TAG_MAX = 4_294_967_295n;
const RATE_WINDOW_MS = 60_000;

/** The fields that a withdrawal, its preview and its challenge share. */
export const orderFields = {
  asset: z.string().min(1).max(50),
  network: z.string().min(1).max(100),
  address: z.string().min(1).max(1000),
  tag: z.string().max(1000).nullish(),
  amount: amountText,
};
export type OrderInput = z.infer<z.ZodObject<typeof orderFields>>;

/** 1 to 100 characters, chosen by the caller, unique in the account. */
export const reference = z.string().min(1).max(100);

/** A checked withdrawal request. `amount` arrives at the address; the account pays `fee` in addition. */
export interface Order {
  asset: SandboxAsset;
  method: FundingMethod;
  networkId: string;
  address: string;
  tag: string | null;
  amount: Amount;
  fee: Amount;
}

/** The canonical text of an order: equal texts mean equal withdrawals. */
export function payloadOf({ asset, network, address, tag, amount }: OrderInput): string {
  return JSON.stringify([asset, network, address, tag ?? null, amount.toString()]);
}

/**
 * Checks the asset, the network, the address, the tag and the amount.
 * @throws PartnerError
 */
export function resolveOrder(input: OrderInput): Order {
  const asset = getAsset(input.asset);
  if (!allowsWithdrawals(asset))
    throw new PartnerError('asset_not_supported', `withdrawals of ${asset.code} are closed`);
  const method = findNetwork(asset, input.network);
  if (method === null) {
    throw new PartnerError('network_not_supported', `${asset.code} cannot be withdrawn over ${input.network}`);
  }
  const { address, tag = null, amount } = input;
  const fits = address.length <= ADDRESS_LENGTH_MAX && new RegExp(addressRule(method.network)).test(address);
  if (!fits) throw new PartnerError('invalid_address', `the address is not an address of ${method.network}`);
  if (tag !== null) checkTag(method, tag);
  checkAmount(amount, { asset, method });
  return { asset, method, networkId: input.network, address, tag, amount, fee: Amount.of(method.fee) };
}

function checkTag(method: FundingMethod, tag: string): void {
  const type = tagTypeOf(method);
  if (type === null) throw new PartnerError('invalid_tag', `addresses of ${method.network} have no tag`);
  const fits =
    type === 'destinationTag'
      ? /^[0-9]{1,10}$/.test(tag) && BigInt(tag) <= DESTINATION_TAG_MAX
      : tag.length > 0 && tag.length <= MEMO_LENGTH_MAX;
  if (!fits) throw new PartnerError('invalid_tag', `the tag is not a valid ${type}`);
}

function checkAmount(amount: Amount, { asset, method }: Pick<Order, 'asset' | 'method'>): void {
  if (amount.decimalPlaces() > asset.decimals) {
    throw new PartnerError('invalid_request', `${asset.code} has at most ${asset.decimals} digits after the point`);
  }
  const { minimum, maximum } = method;
  if (amount.lessThan(Amount.of(minimum))) {
    throw new PartnerError('amount_below_minimum', `the amount is below the minimum ${minimum}`, { minimum });
  }
  if (amount.greaterThan(Amount.of(maximum))) {
    throw new PartnerError('amount_above_maximum', `the amount is above the maximum ${maximum}`, { maximum });
  }
}

/**
 * Checks that withdrawals are not on hold, that email address and identity are verified, and that the account has
 * requested fewer than `withdrawalsPerMinute` withdrawals in the last 60 seconds.
 * @throws PartnerError
 */
export function checkAccount({ exchange, account, profile, now }: PartnerCaller): void {
  const { holdUntil, emailVerified, kyc, withdrawalsPerMinute } = profile;
  if (holdUntil !== null && holdUntil > now.getTime()) {
    throw new PartnerError('account_on_hold', 'withdrawals of the account are on hold', { holdUntil });
  }
  if (!emailVerified) throw new PartnerError('email_unverified', 'the email address is not verified');
  if (kyc === 'required') throw new PartnerError('kyc_required', 'the identity is not verified');
  if (withdrawalsPerMinute === null) return;
  const since = now.getTime() - RATE_WINDOW_MS;
  const freeAt = exchange.book(account).withdrawals.newest(withdrawalsPerMinute)[withdrawalsPerMinute - 1]?.requestedAt;
  if (freeAt === undefined || freeAt <= since) return;
  const retryAfter = Math.max(1, Math.ceil((freeAt - since) / 1000));
  throw new PartnerError(
    'rate_limited',
    `the account allows at most ${withdrawalsPerMinute} withdrawals a minute`,
    {},
    retryAfter,
  );
}

/**
 * Checks that the balance covers amount and fee, that the address is in the address book or still fits into it, and
 * that it is not a deposit address of the same account.
 * @throws PartnerError
 */
export function checkMoneyAndBook({ exchange, account, profile }: PartnerCaller, order: Order): void {
  const book = exchange.book(account);
  const available = book.free(order.asset.id);
  if (available.lessThan(order.amount)) {
    throw new PartnerError('insufficient_funds', 'the balance does not cover the amount', { available });
  }
  if (available.lessThan(order.amount.plus(order.fee))) {
    throw new PartnerError('insufficient_funds_for_fee', 'the balance covers the amount, but not the fee');
  }
  if (!book.savedAddresses.has(bookKey(order)) && book.savedAddresses.size >= profile.addressBookMax) {
    throw new PartnerError('too_many_addresses', `the address book holds at most ${profile.addressBookMax} addresses`);
  }
  const own = book.depositAddresses.some(({ address, memo }) => address === order.address && memo === order.tag);
  if (own) throw new PartnerError('funding_address_conflict', "the address is the account's own deposit address");
}
