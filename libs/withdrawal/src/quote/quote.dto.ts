import { IsBoolean, IsOptional, IsString, Length, Matches } from 'class-validator';
import { ADDRESS_LENGTH_MAX, ASSET_LENGTH_MAX, NETWORK_LENGTH_MAX, exampleExchange } from '#exchange';
import { Amount, INPUT_AMOUNT_MESSAGE, INPUT_AMOUNT_PATTERN } from '#money';
import { ApiField, ApiOptionalField } from '#platform/http';
import type { QuoteRequest } from './quote-checks.js';
import type { Quote } from './quote.entity.js';

/** A text without a space at either end, because such a space is a typing error and a wrong tag loses the money. */
export const TAG_PATTERN = /^\S(.{0,254}\S)?$/u;
export const TAG_MESSAGE = 'tag must be 1 to 256 characters without a space at either end';

/** The names by which exchanges call a tag. A body with such a name is refused, because a lost tag loses the money. */
export const TAG_SYNONYMS = {
  memo: 'tag',
  addressTag: 'tag',
  addressMemo: 'tag',
  withdrawTag: 'tag',
  withdrawMemo: 'tag',
  destinationTag: 'tag',
  destinationMemo: 'tag',
  destTag: 'tag',
  paymentId: 'tag',
  memoId: 'tag',
} as const;

export class CreateQuoteRequest {
  @ApiField(
    'Asset symbol as in Withdrawal balance, in any writing system. Another spelling (case, or the exchange’s own id) is understood when it names one asset of the exchange only; otherwise the error lists the candidates.',
    { example: 'BTC', minLength: 1, maxLength: ASSET_LENGTH_MAX },
  )
  @Length(1, ASSET_LENGTH_MAX)
  @IsString()
  asset: string;

  @ApiField(
    'Amount as a plain decimal greater than zero: at most 20 digits before and 18 after the point; no sign, no exponent. It is never rounded: more digits than the network accepts are refused.',
    { example: '0.01', pattern: INPUT_AMOUNT_PATTERN.source },
  )
  @Matches(/[1-9]/, { message: 'amount must be greater than zero' })
  @Matches(INPUT_AMOUNT_PATTERN, { message: INPUT_AMOUNT_MESSAGE })
  @IsString()
  amount: string;

  @ApiField(
    'Destination address; must match `addressRegex` of the network, and have a form that the exchange accepts. Bech32 in capitals, as QR codes contain it, is accepted and becomes lower case; a payment URI (`bitcoin:…`) is refused. On Lightning, it is an invoice for exactly the amount that the receiver gets, a whole number of satoshi. A mistyped address, whose checksum is invalid, is refused.',
    {
      example: 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp',
      minLength: 1,
      maxLength: ADDRESS_LENGTH_MAX,
    },
  )
  @Length(1, ADDRESS_LENGTH_MAX)
  @IsString()
  address: string;

  @ApiOptionalField(
    'true: the account is debited `amount`, and the receiver gets `amount` minus the fee. false: the receiver gets `amount`, and the account is debited the fee on top. Default: false.',
    { example: false },
  )
  @IsOptional()
  @IsBoolean()
  includeFee?: boolean;

  @ApiOptionalField(
    'Network id as in Withdrawal balance; common names (ERC20, TRC20) are understood, case does not matter. May be left out when exactly one network of the asset has addresses of this form.',
    { example: 'bitcoin', minLength: 1, maxLength: NETWORK_LENGTH_MAX },
  )
  @IsOptional()
  @Length(1, NETWORK_LENGTH_MAX)
  @IsString()
  network?: string;

  @ApiOptionalField(
    'Address tag, memo or destination tag, within the limits of the network: on the XRP Ledger a number of 32 bits, on Stellar at most 28 bytes, on Stacks 34, on Hedera 100, elsewhere 256. A network whose exchange takes no tag refuses it. null = the address has no tag. A quote without this member is refused when a quote or an execution of this wallet has used a tag with the same address.',
    { type: 'string', nullable: true, pattern: TAG_PATTERN.source, example: null },
  )
  @IsOptional()
  @Matches(TAG_PATTERN, { message: TAG_MESSAGE })
  @IsString()
  tag?: string | null;
}

/** The amounts of one part of the fee as decimal strings. */
export class ExactFeeDetailResponse {
  @ApiField('`amount` as a decimal string.', { example: '0.00005' })
  amount: string;

  @ApiOptionalField('`amountInFiat` as a decimal string; absent when `amountInFiat` is absent.', { example: '5.9' })
  amountInFiat?: string;
}

export class FeeDetailResponse {
  @ApiField('Receiver of the fee: the exchange, or the chain.', {
    enum: ['exchange_withdrawal_fee', 'network_fee'],
    example: 'exchange_withdrawal_fee',
  })
  category: string;

  @ApiField('Asset of the fee.', { example: 'BTC' })
  currency: string;

  @ApiField('Amount of the fee in that asset.', { example: 0.00005 })
  amount: number;

  @ApiOptionalField('The fee in `fiatCurrency`; absent when no price is known.', { example: 5.9 })
  amountInFiat?: number;

  @ApiOptionalField('Currency of `amountInFiat`; absent when `amountInFiat` is absent.', { example: 'USD' })
  fiatCurrency?: string;

  @ApiField('The amounts as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactFeeDetailResponse,
  })
  exact: ExactFeeDetailResponse;
}

export class RequirementResponse {
  @ApiField(
    'A requirement of the execution. `travel_rule`: the exchange asks for data about the recipient, which withdrawals ' +
      'through this API do not carry.',
    {
      enum: ['address_allowlist', 'totp', 'tag', 'email', 'sms', 'face', 'yubikey', 'passphrase', 'kyc', 'travel_rule'],
      example: 'address_allowlist',
    },
  )
  type: string;

  @ApiField('Instruction for people.', {
    example: `Save the address in the withdrawal address book at ${exampleExchange.name}.`,
  })
  detail: string;
}

export class ExactAmountsResponse {
  @ApiField('The debited amount, as a decimal string.', { example: '0.01005' })
  amountWithFee: string;

  @ApiField('The amount that arrives, as a decimal string.', { example: '0.01' })
  amountNoFee: string;

  @ApiField('The fee, as a decimal string.', { example: '0.00005' })
  estimatedFee: string;

  @ApiField('The same as `amountWithFee`.', { example: '0.01005' })
  estimatedTotal: string;

  @ApiOptionalField('`amountWithFeeInFiat` as a decimal string; absent when `amountWithFeeInFiat` is absent.', {
    example: '1185.9',
  })
  amountWithFeeInFiat?: string;

  @ApiOptionalField('`amountNoFeeInFiat` as a decimal string; absent when `amountNoFeeInFiat` is absent.', {
    example: '1180',
  })
  amountNoFeeInFiat?: string;

  @ApiOptionalField('`estimatedFeeInFiat` as a decimal string; absent when `estimatedFeeInFiat` is absent.', {
    example: '5.9',
  })
  estimatedFeeInFiat?: string;
}

export class WithdrawalLimitsResponse {
  @ApiField('Smallest amount that can be debited, as a decimal string; null = unknown.', {
    type: 'string',
    nullable: true,
    example: '0.0001',
  })
  minWithdrawal: string | null;

  @ApiField('Largest amount that can be debited at once, as a decimal string; null = unknown.', {
    type: 'string',
    nullable: true,
    example: '5',
  })
  maxWithdrawal: string | null;
}

export class QuoteResponse {
  @ApiField('Quote id (UUIDv7); the path parameter of Execute withdrawal.', {
    format: 'uuid',
    example: '0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55',
  })
  id: string;

  @ApiField('Asset symbol.', { example: 'BTC' })
  asset: string;

  @ApiField('The debited amount, in the asset: `amountNoFee + estimatedFee`.', { example: 0.01005 })
  amountWithFee: number;

  @ApiField('The amount that arrives at the destination, in the asset.', { example: 0.01 })
  amountNoFee: number;

  @ApiField('Destination address.', { example: 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp' })
  destinationAddress: string;

  @ApiField('Network id.', { example: 'bitcoin' })
  network: string;

  @ApiField('Address tag or memo; null = none.', { type: 'string', nullable: true, example: null })
  tag: string | null;

  @ApiField('The fee, in the asset.', { type: 'number', example: 0.00005 })
  estimatedFee: number;

  @ApiField('The same as `amountWithFee`.', { example: 0.01005 })
  estimatedTotal: number;

  @ApiOptionalField(
    '`amountWithFee` in US dollars, at the price when the quote was made; absent when no price was known.',
    { example: 1185.9 },
  )
  amountWithFeeInFiat?: number;

  @ApiOptionalField('`amountNoFee` in US dollars, at the same price; absent when no price was known.', {
    example: 1180,
  })
  amountNoFeeInFiat?: number;

  @ApiOptionalField('`estimatedFee` in US dollars, at the same price; absent when no price was known.', {
    example: 5.9,
  })
  estimatedFeeInFiat?: number;

  @ApiField('When the quote expires, in epoch milliseconds. A later execution gets QUOTE_EXPIRED.', {
    type: 'integer',
    example: 1767269100000,
  })
  expiresAt: number;

  @ApiField('The parts of the fee.', { type: [FeeDetailResponse] })
  feeDetails: FeeDetailResponse[];

  @ApiField('The amounts as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactAmountsResponse,
  })
  exact: ExactAmountsResponse;

  @ApiField('Smallest and largest amount that can be withdrawn, for this account and network.', {
    type: () => WithdrawalLimitsResponse,
  })
  additionalInfo: WithdrawalLimitsResponse;

  @ApiField('What the execution will still need; empty = nothing.', { type: [RequirementResponse] })
  requirements: RequirementResponse[];
}

export function toQuoteRequest(body: CreateQuoteRequest): QuoteRequest {
  return {
    asset: body.asset,
    network: body.network ?? undefined,
    address: body.address,
    tag: body.tag,
    amount: Amount.parseInput(body.amount),
    includeFee: body.includeFee ?? false,
  };
}

export function toQuoteResponse(quote: Quote): QuoteResponse {
  const { amountWithFee, amountNoFee, fee } = quote;
  const [withFeeInFiat, noFeeInFiat, feeInFiat] = [amountWithFee, amountNoFee, fee].map((amount) =>
    quote.inDollars(amount),
  );
  return {
    id: quote.id,
    asset: quote.asset,
    amountWithFee: amountWithFee.toJsonNumber(),
    amountNoFee: amountNoFee.toJsonNumber(),
    destinationAddress: quote.address,
    network: quote.network,
    tag: quote.tag,
    estimatedFee: fee.toJsonNumber(),
    estimatedTotal: amountWithFee.toJsonNumber(),
    amountWithFeeInFiat: withFeeInFiat?.toJsonNumber(),
    amountNoFeeInFiat: noFeeInFiat?.toJsonNumber(),
    estimatedFeeInFiat: feeInFiat?.toJsonNumber(),
    expiresAt: quote.expiresAt.getTime(),
    feeDetails: quote.feeDetails.map(({ category, currency, amount, amountInFiat }) => ({
      category,
      currency,
      amount: Amount.of(amount).toJsonNumber(),
      ...(amountInFiat === undefined
        ? {}
        : { amountInFiat: Amount.of(amountInFiat).toJsonNumber(), fiatCurrency: 'USD' }),
      exact: { amount, amountInFiat },
    })),
    exact: {
      amountWithFee: amountWithFee.toString(),
      amountNoFee: amountNoFee.toString(),
      estimatedFee: fee.toString(),
      estimatedTotal: amountWithFee.toString(),
      amountWithFeeInFiat: withFeeInFiat?.toString(),
      amountNoFeeInFiat: noFeeInFiat?.toString(),
      estimatedFeeInFiat: feeInFiat?.toString(),
    },
    additionalInfo: {
      minWithdrawal: quote.minWithdrawal?.toString() ?? null,
      maxWithdrawal: quote.maxWithdrawal?.toString() ?? null,
    },
    requirements: quote.requirements,
  };
}
