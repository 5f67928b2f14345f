import { exampleExchange } from '#exchange';
import { ApiField } from '#platform/http';
import {
  fiatCurrencies,
  transactionDirections,
  transactionStatuses,
  transactionTypes,
  type FiatCurrency,
  type Transaction,
  type TransactionDirection,
  type TransactionStatus,
  type TransactionType,
} from './transaction.entity.js';

/** The amounts of a transaction as decimal strings. */
export class ExactTransactionResponse {
  @ApiField('`amount` as a decimal string.', { example: '0.05' })
  amount: string;

  @ApiField('`feeCost` as a decimal string; null when `feeCost` is null.', { ...nullableDecimal('0.0001') })
  feeCost: string | null;

  @ApiField('`amountInFiat` as a decimal string; null when `amountInFiat` is null.', { ...nullableDecimal('5900.25') })
  amountInFiat: string | null;

  @ApiField('`feeInFiat` as a decimal string; null when `feeInFiat` is null.', { ...nullableDecimal('11.8') })
  feeInFiat: string | null;
}

/** One entry in the history of a wallet. */
export class TransactionResponse {
  @ApiField('Transaction id (UUIDv7), ours; `result.transactionId` of an execution.', {
    format: 'uuid',
    example: '0199d3a0-5d3e-7c1a-9f60-2f1c3b8d4e55',
  })
  id: string;

  @ApiField('Wallet id, as chosen when the wallet was connected.', { example: 'demo-wallet' })
  walletId: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('The exchange’s own id of the transaction; null until the exchange has reported it.', {
    type: String,
    nullable: true,
    example: 'FTQcuak-V6Za8qrWnhzTx67yYHz8Tg',
  })
  exchangeTransactionId: string | null;

  @ApiField('When we first recorded the transaction, in epoch milliseconds.', {
    type: 'integer',
    example: 1760000000000,
  })
  createdAt: number;

  @ApiField('When our record last changed, in epoch milliseconds.', { type: 'integer', example: 1760000042000 })
  updatedAt: number;

  @ApiField(
    'When the transaction happened at the exchange, in epoch milliseconds. For a withdrawal that was made here, it is the time of its execution.',
    { type: 'integer', example: 1760000000000 },
  )
  timestamp: number;

  @ApiField('Kind of transaction.', { enum: transactionTypes, example: 'withdrawal' })
  type: TransactionType;

  @ApiField(
    'Amount that arrives, without the fee, in units of `currency`. For a withdrawal it is the quoted amount until the exchange shows the record. `amount` and `feeCost` together are the debited amount.',
    { example: 0.05 },
  )
  amount: number;

  @ApiField('Asset symbol.', { example: 'BTC' })
  currency: string;

  @ApiField('Direction seen from the wallet; null when the transaction is neither incoming nor outgoing.', {
    enum: transactionDirections,
    type: String,
    nullable: true,
    example: 'out',
  })
  direction: TransactionDirection | null;

  @ApiField('Fee in units of `feeCurrency`; null only where the exchange does not report it.', {
    type: Number,
    nullable: true,
    example: 0.0001,
  })
  feeCost: number | null;

  @ApiField('Asset in which the fee was charged; null exactly where `feeCost` is null.', {
    type: String,
    nullable: true,
    example: 'BTC',
  })
  feeCurrency: string | null;

  @ApiField('`amount` in `fiatCurrency` at the time of the transaction; null when no price was known.', {
    type: Number,
    nullable: true,
    example: 5900.25,
  })
  amountInFiat: number | null;

  @ApiField('`feeCost` in `fiatCurrency` at the time of the transaction; null when no price was known.', {
    type: Number,
    nullable: true,
    example: 11.8,
  })
  feeInFiat: number | null;

  @ApiField('Currency of the fiat values; null when `amountInFiat` and `feeInFiat` are null.', {
    enum: fiatCurrencies,
    type: String,
    nullable: true,
    example: 'USD',
  })
  fiatCurrency: FiatCurrency | null;

  @ApiField(
    'Status. It changes once, from `pending` to `ok` (completed), `failed` (nothing left the account) or `canceled`.',
    { enum: transactionStatuses, example: 'pending' },
  )
  status: TransactionStatus;

  @ApiField('Receiving address; null only where the exchange does not report it.', {
    type: String,
    nullable: true,
    example: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  })
  addressTo: string | null;

  @ApiField('Sending address; null when it is not known.', { type: String, nullable: true, example: null })
  addressFrom: string | null;

  @ApiField('Tag (memo, destination tag) of the receiving address; null when there is none.', {
    type: String,
    nullable: true,
    example: null,
  })
  tag: string | null;

  @ApiField(
    'Network, lower case: our id, as in quotes; for a network or a variant of a token that has no id of ours, the exchange’s own name as `<exchange>:<name>`; if the exchange names none, `unknown`.',
    { example: 'bitcoin' },
  )
  network: string;

  @ApiField('Hash on the chain; null until it is known.', { type: String, nullable: true, example: null })
  hash: string | null;

  @ApiField(
    'Time of the block that the transaction is in, in epoch milliseconds; null until the chain has confirmed it.',
    { type: 'integer', nullable: true, example: null },
  )
  confirmedAt: number | null;

  @ApiField('Height of that block; null until the chain has confirmed it.', {
    type: 'integer',
    nullable: true,
    example: null,
  })
  blockHeight: number | null;

  @ApiField('The amounts as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactTransactionResponse,
  })
  exact: ExactTransactionResponse;
}

export function toTransactionResponse(transaction: Transaction): TransactionResponse {
  return {
    id: transaction.id,
    walletId: transaction.externalWalletId,
    exchange: transaction.exchange,
    exchangeTransactionId: transaction.exchangeTransactionId,
    createdAt: transaction.createdAt.getTime(),
    updatedAt: transaction.updatedAt.getTime(),
    timestamp: transaction.occurredAt.getTime(),
    type: transaction.type,
    amount: transaction.amount.toJsonNumber(),
    currency: transaction.asset,
    direction: transaction.direction,
    feeCost: transaction.fee?.toJsonNumber() ?? null,
    feeCurrency: transaction.feeAsset,
    amountInFiat: transaction.amountInFiat?.toJsonNumber() ?? null,
    feeInFiat: transaction.feeInFiat?.toJsonNumber() ?? null,
    fiatCurrency: transaction.fiatCurrency,
    status: transaction.status,
    addressTo: transaction.addressTo,
    addressFrom: transaction.addressFrom,
    tag: transaction.tag,
    network: transaction.network,
    hash: transaction.hash,
    confirmedAt: transaction.confirmedAt?.getTime() ?? null,
    blockHeight: transaction.blockHeight === null ? null : Number(transaction.blockHeight),
    exact: exactOf(transaction),
  };
}

function exactOf({ amount, fee, amountInFiat, feeInFiat }: Transaction): ExactTransactionResponse {
  return {
    amount: amount.toString(),
    feeCost: fee?.toString() ?? null,
    amountInFiat: amountInFiat?.toString() ?? null,
    feeInFiat: feeInFiat?.toString() ?? null,
  };
}

function nullableDecimal(example: string) {
  return { type: String, nullable: true, example } as const;
}
