import { IsIn, IsOptional, IsString, Length, ValidateIf } from 'class-validator';
import { ASSET_LENGTH_MAX, NETWORK_LENGTH_MAX, exampleExchange } from '#exchange';
import { ApiField, ApiOptionalField } from '#platform/http';
import type { CacheDirectives } from '#platform/http';
import { reusePolicies, type AddressQuestion, type GivenAddress, type ReusePolicy } from './get-deposit-address.js';

export class DepositAddressQuery {
  @ApiField('Asset symbol, as in quotes. Missing or empty gives DEPOSIT_ASSET_REQUIRED.', {
    example: 'BTC',
    maxLength: ASSET_LENGTH_MAX,
  })
  // A missing or empty asset has its own error code.
  @ValidateIf(({ asset }: DepositAddressQuery) => asset !== undefined && asset !== '')
  @Length(1, ASSET_LENGTH_MAX)
  @IsString()
  asset?: string;

  @ApiField(
    'Network id, as in quotes; common names (ERC20, TRC20) are understood, case does not matter. Missing or empty gives DEPOSIT_NETWORK_REQUIRED.',
    { example: 'bitcoin', maxLength: NETWORK_LENGTH_MAX },
  )
  @ValidateIf(({ network }: DepositAddressQuery) => network !== undefined && network !== '')
  @Length(1, NETWORK_LENGTH_MAX)
  @IsString()
  network?: string;

  @ApiOptionalField(
    '`reuse_or_create`: an existing address that stays valid long enough, otherwise a new one. `reuse_only`: an existing address. `create_new`: a new address from the exchange; ' +
      'earlier addresses stay valid as long as the exchange supports them.',
    { enum: reusePolicies, default: 'reuse_or_create', example: 'reuse_or_create' },
  )
  @IsOptional()
  @IsIn(reusePolicies)
  reusePolicy: ReusePolicy = 'reuse_or_create';
}

export class DepositAddressResponse {
  @ApiField('The address to send to. It is an address of `network`, for `asset` alone.', {
    example: 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp',
  })
  address: string;

  @ApiField('The tag of the address; null = it has none. A deposit that is sent without its tag may be lost.', {
    type: 'string',
    nullable: true,
    example: null,
  })
  tag: string | null;

  @ApiField('The usual name of the tag on this network; null = addresses on this network have no tag.', {
    type: 'string',
    enum: ['memo', 'destinationTag', 'message', null],
    nullable: true,
    example: null,
  })
  tagType: string | null;

  @ApiField('Network id: always the requested network.', { example: 'bitcoin' })
  network: string;

  @ApiField('Asset symbol.', { example: 'BTC' })
  asset: string;

  @ApiField('Exchange identifier.', { example: exampleExchange.id })
  exchange: string;

  @ApiField('true: the address was stored, and the exchange was not called. The header `Age` is its age.', {
    example: false,
  })
  cached: boolean;

  @ApiField('When the address was requested from the exchange, in epoch milliseconds.', {
    type: 'integer',
    example: 1767268800000,
  })
  fetchedAt: number;

  @ApiField(
    'Smallest deposit that is credited, in the asset, as a decimal string; "0" = not reported. A smaller deposit may be lost.',
    { example: '0.0001' },
  )
  minimum: string;

  @ApiField('Fee that the exchange keeps of each deposit, in the asset, as a decimal string; null = not reported.', {
    type: 'string',
    nullable: true,
    example: null,
  })
  fee: string | null;

  @ApiField(
    'The largest amount that can be received now, in the asset, as a decimal string; null = no limit is reported.',
    { type: 'string', nullable: true, example: null },
  )
  limit: string | null;

  @ApiField('Whether the exchange creates addresses of this asset and network on request (`create_new`).', {
    type: 'boolean',
    example: true,
  })
  canGenerateAddress: boolean;

  @ApiField('When the address stops receiving, in epoch milliseconds; null = never.', {
    type: 'integer',
    nullable: true,
    example: null,
  })
  expiresAt: number | null;
}

export function toAddressQuestion(
  { asset, network, reusePolicy }: DepositAddressQuery,
  cache: CacheDirectives,
): AddressQuestion {
  return { asset, network, policy: reusePolicy, cache };
}

export function toDepositAddressResponse(given: GivenAddress): DepositAddressResponse {
  return {
    address: given.address,
    tag: given.tag,
    tagType: given.tagType,
    network: given.network,
    asset: given.asset,
    exchange: given.exchange,
    cached: given.isCached,
    fetchedAt: given.fetchedAt.getTime(),
    minimum: given.minimum?.toString() ?? '0',
    fee: given.fee?.toString() ?? null,
    limit: given.limit?.toString() ?? null,
    canGenerateAddress: given.canGenerateAddress,
    expiresAt: given.expiresAt?.getTime() ?? null,
  };
}
