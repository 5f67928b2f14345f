import { IntersectionType, PartialType, PickType } from '@nestjs/swagger';
import { Transform, type TransformFnParams } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { exchangeIds } from '#exchange';
import { ApiField, ApiOptionalField, DateQuery, PageQuery, PaginationResponse, toPagination } from '#platform/http';
import type { ListedWallet, WalletPage } from '../reading/list-wallets.js';
import { WalletResponse, describeWallet, isHeld } from './wallet.dto.js';

const walletFields = [
  'id',
  'walletId',
  'exchange',
  'projectId',
  'balances',
  'ipPool',
  'invalidApi',
  'createdAt',
  'updatedAt',
  'lastSyncAt',
  'exact',
] as const satisfies (keyof WalletResponse)[];

type WalletField = (typeof walletFields)[number];

export class ListWalletsQuery extends PageQuery {
  @ApiOptionalField('Only wallets of this exchange; `null` = wallets of all exchanges.', {
    enum: [...exchangeIds, 'null'],
  })
  @IsOptional()
  @Transform(nullAsAbsent)
  @MaxLength(64)
  @IsString()
  exchange?: string;

  @DateQuery('Only wallets connected at this time or later.')
  createdSince?: Date;

  @DateQuery('Only wallets connected before this time.')
  createdBefore?: Date;

  @DateQuery('Only wallets last synced at this time or later.')
  lastSyncSince?: Date;

  @DateQuery('Only wallets last synced before this time; wallets that were never synced are left out.')
  lastSyncBefore?: Date;

  @ApiOptionalField(
    '`true`: only wallets whose credentials are known to be invalid. `false`: only the other wallets. `null`: all.',
    { enum: ['true', 'false', 'null'] },
  )
  @IsOptional()
  @Transform(toBoolean)
  @IsBoolean({ message: 'invalidApi must be true, false or null' })
  invalidApi?: boolean;

  @ApiOptionalField(
    `Comma-separated fields of the response, from ${walletFields.join(', ')}; \`id\` and \`walletId\` are always included. Default: all.`,
    { type: String, example: 'exchange,lastSyncAt' },
  )
  @IsOptional()
  @Transform(toList)
  @IsIn(walletFields, { each: true, message: `fields must be a comma-separated list of ${walletFields.join(', ')}` })
  fields?: WalletField[];
}

export class ExactWalletListEntryResponse {
  @ApiField('`balances` as decimal strings, by asset symbol.', {
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { BTC: '1.5' },
  })
  balances: Record<string, string>;
}

/** The members are in the order of the response. */
export class WalletListEntryResponse extends IntersectionType(
  PickType(WalletResponse, ['id', 'walletId'] as const),
  PartialType(
    PickType(WalletResponse, ['exchange', 'projectId', 'invalidApi', 'createdAt', 'updatedAt', 'lastSyncAt'] as const),
  ),
) {
  @ApiOptionalField(
    'Total holdings as of `lastSyncAt`, by asset symbol; assets of which nothing is held are left out.',
    { type: 'object', additionalProperties: { type: 'number' }, example: { BTC: 1.5 } },
  )
  balances?: Record<string, number>;

  @ApiOptionalField('Addresses from which this service calls exchanges, for the allow-list of the API key.', {
    type: [String],
    example: ['203.0.113.10'],
  })
  ipPool?: string[];

  @ApiOptionalField('The holdings as decimal strings, because a JSON number may lose digits.', {
    type: () => ExactWalletListEntryResponse,
  })
  exact?: ExactWalletListEntryResponse;
}

export class ListWalletsResponse {
  @ApiField('One page of wallets, newest first.', { type: [WalletListEntryResponse] })
  wallets: WalletListEntryResponse[];

  @ApiField('The number of this page, and the numbers of all pages and entries.', { type: PaginationResponse })
  pagination: PaginationResponse;
}

/** Whether the caller wants the balances of the listed wallets. */
export function wantsBalances({ fields }: ListWalletsQuery): boolean {
  return fields === undefined || fields.includes('balances') || fields.includes('exact');
}

/** @param ipPool egress addresses of this installation. */
export function toListResponse(page: WalletPage, query: ListWalletsQuery, ipPool: string[]): ListWalletsResponse {
  return {
    wallets: page.entries.map((entry) => pick(toEntry(entry, ipPool), query.fields)),
    pagination: toPagination(page.totalCount, query),
  };
}

function toEntry({ wallet, balances }: ListedWallet, ipPool: string[]): WalletListEntryResponse {
  const held = balances.filter(isHeld);
  return {
    ...describeWallet(wallet),
    balances: Object.fromEntries(held.map(({ asset, total }) => [asset, total.toJsonNumber()])),
    ipPool,
    exact: { balances: Object.fromEntries(held.map(({ asset, total }) => [asset, total.toString()])) },
  };
}

function pick(entry: WalletListEntryResponse, fields: WalletField[] | undefined): WalletListEntryResponse {
  if (fields === undefined) return entry;
  const wanted = new Set<string>(['id', 'walletId', ...fields]);
  const { id, walletId, ...rest } = entry;
  return { id, walletId, ...Object.fromEntries(Object.entries(rest).filter(([name]) => wanted.has(name))) };
}

function nullAsAbsent({ value }: TransformFnParams): unknown {
  return value === 'null' ? undefined : value;
}

function toBoolean({ value }: TransformFnParams): unknown {
  const meanings = new Map<unknown, boolean | undefined>([
    ['true', true],
    ['false', false],
    ['null', undefined],
  ]);
  return meanings.has(value) ? meanings.get(value) : value;
}

/**
 * Splits a text at its commas. A repeated parameter arrives as an array and becomes an array in an array, so that
 * validation refuses it.
 */
function toList({ value }: TransformFnParams): unknown {
  return typeof value === 'string' ? value.split(',').map((part) => part.trim()) : [value];
}
