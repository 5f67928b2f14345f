import { IsIn, IsOptional, IsString, Length, Matches } from 'class-validator';
import { WALLET_ID } from '#access';
import { ASSET_LENGTH_MAX, exampleExchange } from '#exchange';
import { ApiField, ApiOptionalField, DateQuery, PageQuery, PaginationResponse, toPagination } from '#platform/http';
import type { TransactionPage } from './list-transactions.js';
import { NETWORK_NAME_MAX } from './network-name.js';
import { TransactionResponse, toTransactionResponse } from './transaction.dto.js';
import {
  transactionDirections,
  transactionStatuses,
  transactionTypes,
  type TransactionDirection,
  type TransactionStatus,
  type TransactionType,
} from './transaction.entity.js';

export class ListTransactionsQuery extends PageQuery {
  @ApiOptionalField(
    'Only transactions of this wallet, even if it was deleted; the wallet header has the same effect. Without both: transactions of all wallets of the project.',
    { pattern: WALLET_ID.source, maxLength: 128, example: 'demo-wallet' },
  )
  @IsOptional()
  @Matches(WALLET_ID, { message: 'walletId must be 1 to 128 characters of A-Z a-z 0-9 . _ : -' })
  @IsString()
  walletId?: string;

  @DateQuery('Only transactions that happened (`timestamp`) at this time or later.')
  sinceDate?: Date;

  @DateQuery('Only transactions that happened (`timestamp`) before this time.')
  beforeDate?: Date;

  @ApiOptionalField(
    'Only transactions of this asset (symbol), also those from before the exchange renamed it. The exchange’s own id, or another spelling, is understood when it names one asset only.',
    {
      example: 'BTC',
      maxLength: ASSET_LENGTH_MAX,
    },
  )
  @IsOptional()
  @Length(1, ASSET_LENGTH_MAX)
  @IsString()
  asset?: string;

  @ApiOptionalField('Only transactions of this type.', { enum: transactionTypes })
  @IsOptional()
  @IsIn(transactionTypes)
  type?: TransactionType;

  @ApiOptionalField('Only transactions with this status.', { enum: transactionStatuses })
  @IsOptional()
  @IsIn(transactionStatuses)
  status?: TransactionStatus;

  @ApiOptionalField('Only transactions in this direction, seen from the wallet.', { enum: transactionDirections })
  @IsOptional()
  @IsIn(transactionDirections)
  direction?: TransactionDirection;

  @ApiOptionalField(
    `Only transactions on this network, as transactions show it (\`bitcoin\`, \`${exampleExchange.id}:polygon (usdc.e)\`, \`unknown\`); ` +
      'common names (ERC20, TRC20) are understood, case does not matter.',
    { example: 'bitcoin', maxLength: NETWORK_NAME_MAX },
  )
  @IsOptional()
  @Length(1, NETWORK_NAME_MAX)
  @IsString()
  network?: string;
}

class TransactionPaginationResponse extends PaginationResponse {
  @ApiField('Entries before this page: `page` × `limit`.', { type: 'integer' })
  offset: number;
}

export class ListTransactionsResponse {
  @ApiField(
    'One page of transactions, newest first. `pagination.totalCount` is exact up to 500. A higher count may be a second old, and one above 10,000 ten minutes.',
    { type: [TransactionResponse] },
  )
  transactions: TransactionResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', {
    type: TransactionPaginationResponse,
  })
  pagination: TransactionPaginationResponse;
}

export function toListResponse(
  { transactions, totalCount }: TransactionPage,
  query: ListTransactionsQuery,
): ListTransactionsResponse {
  return {
    transactions: transactions.map(toTransactionResponse),
    pagination: { ...toPagination(totalCount, query), offset: query.page * query.limit },
  };
}
