import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import type { AssetBalance, WithdrawalNetwork } from '#exchange';
import type { WithdrawableBalances } from './withdrawable-balance.js';

/** A year: longer ago than anybody means. */
const THRESHOLD_MAX_MINUTES = 525_600;

export class WithdrawableBalanceQuery {
  @ApiPropertyOptional({
    description: 'Stored balances up to this old, in minutes, are good enough. 0 always asks the exchange.',
    type: 'integer',
    minimum: 0,
    maximum: THRESHOLD_MAX_MINUTES,
    default: 0,
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(THRESHOLD_MAX_MINUTES)
  balanceRefreshThreshold: number = 0;

  @ApiPropertyOptional({
    description:
      'Deletes the wallet when the exchange itself says, twice and independently, that its credentials are invalid. Never while a withdrawal is unresolved.',
    type: 'boolean',
    default: true,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  autoDeleteIfInvalid: boolean = true;
}

export class WithdrawalNetworkResponse {
  @ApiProperty({ description: 'Network id, as in quotes.', example: 'bitcoin' })
  id: string;

  @ApiProperty({ description: 'Name of the network.', example: 'Bitcoin' })
  name: string;

  @ApiProperty({ description: 'How the exchange shows this way of withdrawing.', example: 'Bitcoin' })
  displayName: string;

  @ApiProperty({
    description: 'Least amount that can be debited, as a decimal string; "0" = not told.',
    example: '0.0001',
  })
  minWithdrawal: string;

  @ApiProperty({
    description: 'Most that can be debited, as a decimal string; the free balance where the exchange names no bound.',
    example: '5',
  })
  maxWithdrawal: string;

  @ApiProperty({ description: 'Name of the asset on this network, as the exchange writes it.', example: 'XBT' })
  assetName: string;

  @ApiProperty({ description: 'Regular expression that the destination address must match as a whole.' })
  addressRegex: string;
}

export class WithdrawableAssetResponse {
  @ApiProperty({ description: 'Asset symbol.', example: 'BTC' })
  asset: string;

  @ApiProperty({ description: 'Free balance, in the asset.', type: 'number', example: 5 })
  amount: number;

  @ApiPropertyOptional({ description: 'The same in US dollars; absent when no price is known.', type: 'number' })
  amountInFiat?: number;

  @ApiProperty({
    description: 'Networks on which it can be withdrawn; empty for assets that cannot, such as fiat.',
    type: [WithdrawalNetworkResponse],
  })
  networks: WithdrawalNetworkResponse[];
}

export class WithdrawableBalanceResponse {
  @ApiProperty({ description: 'When the exchange was asked for the balances.', type: 'string', format: 'date-time' })
  lastSyncAt: string;

  @ApiProperty({ description: 'Assets with a free balance, by symbol.', type: [WithdrawableAssetResponse] })
  balances: WithdrawableAssetResponse[];
}

export function toWithdrawableBalanceResponse({
  lastSyncAt,
  balances,
}: WithdrawableBalances): WithdrawableBalanceResponse {
  return {
    lastSyncAt: lastSyncAt.toISOString(),
    balances: balances.map(({ balance, networks }) => ({
      asset: balance.asset,
      amount: balance.free.toJsonNumber(),
      networks: networks.map((network) => toNetworkResponse(network, balance)),
    })),
  };
}

function toNetworkResponse(network: WithdrawalNetwork, { free }: AssetBalance): WithdrawalNetworkResponse {
  return {
    id: network.id,
    name: network.name,
    displayName: network.displayName,
    minWithdrawal: (network.minWithdrawal ?? '0').toString(),
    maxWithdrawal: (network.maxWithdrawal ?? free).toString(),
    assetName: network.assetName,
    addressRegex: network.addressRegex,
  };
}
