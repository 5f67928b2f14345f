import {
  acceptsAddress,
  addressMatches,
  hasValidChecksum,
  invoiceAmount,
  LIGHTNING,
  findNetwork,
  ProviderError,
  tagProblem,
  withdrawableOf,
  type AssetBalance,
  type WithdrawalEstimate,
  type WithdrawalNetwork,
  type WithdrawalRequirement,
} from '#exchange';
import { Amount } from '#money';
import { ValidationFailed } from '#platform/errors';
import type { Quote } from './quote.entity.js';
import {
  AmountAboveMaximum,
  AmountBelowMinimum,
  InsufficientBalance,
  InsufficientBalanceForFee,
  InvalidAddress,
  NetworkNotSupported,
} from './withdrawal.errors.js';

/** The caller's request for a quote, after parsing. */
export interface QuoteRequest {
  asset: string;
  /** The name that the caller wrote; undefined = none, so the only network that accepts the address is chosen. */
  network: string | undefined;
  address: string;
  /** undefined = left out; null = the caller explicitly wants no tag. */
  tag: string | null | undefined;
  amount: Amount;
  includeFee: boolean;
}

/** Chooses the named network, or else the only network whose address format fits. */
export function chooseNetwork(request: QuoteRequest, networks: WithdrawalNetwork[]): WithdrawalNetwork {
  const idsOf = (listed: WithdrawalNetwork[]): string[] => listed.map(({ id }) => id);
  if (request.network !== undefined) {
    const named = findNetwork(networks, request.network);
    if (named === null) throw new NetworkNotSupported(request.asset, request.network, idsOf(networks));
    return named;
  }
  const fitting = networks.filter((network) => acceptsAddress(network, request.address));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  const [cause, possible] =
    only === undefined
      ? ['no network of the asset has addresses of this form', idsOf(networks)]
      : ['several networks of the asset have addresses of this form', idsOf(fitting)];
  const message = `network is required: ${cause}; use one of ${possible.join(', ')}`;
  throw new ValidationFailed([{ field: 'network', message }], { result: { networks: possible } });
}

/** A URI such as `bitcoin:…?amount=…` (BIP-21), except the prefix of Bitcoin Cash, which is a part of its addresses. */
const URI = /^(?!bitcoincash:[^?]*$)([a-z][a-z0-9+.-]*:)|[?]/i;

/**
 * Refuses a payment URI, as QR codes contain it. Its parameters can state another amount or a tag, and ignoring them
 * could lose money.
 */
export function checkNoUri({ address }: Pick<QuoteRequest, 'address'>): void {
  const [found, scheme] = URI.exec(address) ?? [];
  if (found === undefined) return;
  const before = scheme === undefined ? '' : `without the prefix ${scheme.toLowerCase()} and `;
  throw new InvalidAddress(
    `The address is a payment URI: send the address alone, ${before}without "?" and what follows it`,
    'address_is_uri',
  );
}

export function checkAddress({ asset, address }: QuoteRequest, network: WithdrawalNetwork): void {
  if (!addressMatches(network.addressRegex, address))
    throw new InvalidAddress(`The address is not a valid address on the network ${network.id}`, 'address_format');
  if (!acceptsAddress(network, address))
    throw new InvalidAddress(
      `The exchange does not pay to addresses of this form on the network ${network.id}; use another form of address`,
      'address_form_refused',
    );
  if (!hasValidChecksum(network.id, address))
    throw new InvalidAddress(
      `The address is mistyped: its checksum is not valid on the network ${network.id}`,
      'address_checksum',
    );
  if (network.id === LIGHTNING) checkStatedAmount(asset, address, network);
}

/** Checks that a Lightning invoice states an amount that can be the amount of a withdrawal. */
function checkStatedAmount(asset: string, invoice: string, { decimals }: WithdrawalNetwork): void {
  const stated = invoiceAmount(invoice);
  if (stated === null)
    throw new InvalidAddress(
      'The address is a Lightning invoice without an amount; ask the receiver for an invoice that states the amount',
      'invoice_without_amount',
    );
  if (stated.decimalPlaces() > decimals)
    throw new InvalidAddress(
      `The address is a Lightning invoice for the amount ${stated.toString()} ${asset}, but the exchange pays amounts ` +
        `with at most ${decimals} digits after the point; ask the receiver for an invoice that states a whole number ` +
        'of satoshi',
      'invoice_amount',
    );
}

/**
 * Checks that a Lightning invoice states exactly the amount that arrives. An exchange may pay the amount of the invoice
 * or the amount of the request, so both must be the same.
 */
export function checkInvoice(
  { address, asset }: QuoteRequest,
  { id }: WithdrawalNetwork,
  { amountNoFee }: Pick<WithdrawalEstimate, 'amountNoFee'>,
): void {
  const invoiced = id === LIGHTNING ? invoiceAmount(address) : null;
  if (invoiced === null || invoiced.equals(amountNoFee)) return;
  const [stated, arriving] = [invoiced, amountNoFee].map((amount) => `${amount.toString()} ${asset}`);
  throw new InvalidAddress(
    `The address is a Lightning invoice for the amount ${stated}, but the receiver would get ${arriving}; ` +
      `request a quote for the amount ${stated} with includeFee: false, or send another invoice`,
    'invoice_amount',
  );
}

/** @param usedTag the tag that was used with this address before, if the request left the tag out; otherwise null. */
export function checkTag(
  { tag }: Pick<QuoteRequest, 'tag'>,
  network: Pick<WithdrawalNetwork, 'id' | 'tagType'>,
  usedTag: string | null,
): void {
  const problem = typeof tag === 'string' ? tagProblem(network.id, network.tagType, tag) : null;
  if (problem !== null) throw new ValidationFailed([{ field: 'tag', message: `tag ${problem}` }]);
  if (tag === undefined) checkLeftOutTag(usedTag);
}

/** @param usedTag the tag that was used with this address before, or null; without the tag, the money could be lost. */
export function checkLeftOutTag(usedTag: string | null): void {
  if (usedTag === null) return;
  const message = 'tag is missing, but the address was used with a tag before; send the tag, or "tag": null for no tag';
  throw new ValidationFailed([{ field: 'tag', message }]);
}

/** Whether the quote has no tag but the requirement `tag`, so that the tag can still be sent with the execution. */
export function leavesTagOpen({ tag, requirements }: Pick<Quote, 'tag' | 'requirements'>): boolean {
  return tag === null && requirements.some(({ type }) => type === 'tag');
}

export function checkPrecision({ amount }: QuoteRequest, { asset, decimals }: WithdrawalNetwork): void {
  if (amount.decimalPlaces() <= decimals) return;
  const message = `amount must have at most ${decimals} digits after the point for ${asset} on this network`;
  throw new ValidationFailed([{ field: 'amount', message }]);
}

interface Bounds {
  minWithdrawal: Amount | null;
  maxWithdrawal: Amount | null;
}

/** @param debited the amount that leaves the account; exchanges limit this amount. */
export function checkBounds(asset: string, debited: Amount, { minWithdrawal: min, maxWithdrawal: max }: Bounds): void {
  if (min !== null && debited.lessThan(min)) {
    throw new AmountBelowMinimum(
      `The debited amount, which includes the fee, is below the minimum of ${min.toString()} ${asset}`,
      min,
    );
  }
  if (max !== null && debited.greaterThan(max)) {
    throw new AmountAboveMaximum(
      `The debited amount, which includes the fee, is above the maximum of ${max.toString()} ${asset}`,
      max,
    );
  }
}

/** Checks that the exchange's estimate matches the request to the last digit, and that something arrives. */
export function checkEstimate({ asset, amount, includeFee }: QuoteRequest, estimate: WithdrawalEstimate): void {
  const { amountNoFee, fee, amountWithFee } = estimate;
  const asked = includeFee ? amountWithFee : amountNoFee;
  if (!asked.equals(amount) || fee.isNegative() || !amountNoFee.plus(fee).equals(amountWithFee)) {
    throw new ProviderError('The estimate of the exchange is not for the requested amount; request the quote again', {
      reason: 'amount_differs',
    });
  }
  if (!amountNoFee.isPositive()) {
    throw new AmountBelowMinimum(`The amount must be more than the fee of ${fee.toString()} ${asset}`, fee);
  }
}

export function checkBalance(
  request: Pick<QuoteRequest, 'asset' | 'amount'>,
  { amountWithFee }: Pick<WithdrawalEstimate, 'amountWithFee'>,
  balances: AssetBalance[],
): void {
  const balance = balances.find(({ asset }) => asset === request.asset);
  if (balance?.isPartial === true) {
    const message = `The exchange has reported a balance of ${request.asset} that could not be read; try again later`;
    throw new ProviderError(message, { reason: 'unusable_answer' });
  }
  const free = balance === undefined ? Amount.zero : withdrawableOf(balance);
  if (free.lessThan(request.amount)) throw new InsufficientBalance(request.asset, free, balance?.elsewhere ?? []);
  if (free.lessThan(amountWithFee)) throw new InsufficientBalanceForFee(request.asset, free, amountWithFee);
}

/**
 * Returns the exchange's requirements. Adds the requirement `tag` when addresses of the network have tags and the
 * request had neither a tag nor null.
 */
export function requirementsOf(
  { tag }: QuoteRequest,
  { tagType }: WithdrawalNetwork,
  { requirements }: WithdrawalEstimate,
): WithdrawalRequirement[] {
  if (tagType === null || tag !== undefined || requirements.some(({ type }) => type === 'tag')) return requirements;
  const detail = `Addresses of this network may need a ${tagType}; send it as tag with the quote or with its execution.`;
  return [...requirements, { type: 'tag', detail }];
}
