import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString, Matches } from 'class-validator';
import { INPUT_AMOUNT_PATTERN } from '#money';
import type { FeeInfo } from './fee-info.js';

export class FeeInfoQuery {
  @ApiPropertyOptional({
    description: 'Asset symbol; case does not matter. Required: without it INFO_ASSET_REQUIRED.',
    example: 'BTC',
  })
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9.]{1,20}$/)
  asset?: string;

  @ApiPropertyOptional({ description: 'Network id; left out, all networks of the asset.', example: 'bitcoin' })
  @IsOptional()
  @IsString()
  @Matches(/^[A-Za-z0-9 ._-]{1,40}$/)
  network?: string;

  @ApiPropertyOptional({
    description: 'Amount that is meant to be withdrawn, as a plain decimal; for exchanges whose fee depends on it.',
    example: '0.01',
    pattern: INPUT_AMOUNT_PATTERN.source,
  })
  @IsOptional()
  @IsString()
  @Matches(INPUT_AMOUNT_PATTERN, { message: 'amount must be a plain decimal' })
  amount?: string;
}

export class NetworkFeeResponse {
  @ApiProperty({ description: 'Network id.', example: 'bitcoin' })
  network: string;

  @ApiProperty({
    description: 'Withdrawal fee in `feeAsset`; null where the exchange tells it in a quote only.',
    type: 'number',
    nullable: true,
    example: 0.00005,
  })
  fee: number | null;

  @ApiProperty({ description: 'Asset of the fee.', example: 'BTC' })
  feeAsset: string;

  @ApiProperty({ description: 'fixed: does not depend on the amount.', enum: ['fixed'] })
  feeType: string;

  @ApiProperty({ description: 'Least amount that can be debited; 0 = not told.', type: 'number', example: 0.0001 })
  minimumWithdrawal: number;

  @ApiProperty({ description: 'Most that can be debited; null = not told.', type: 'number', nullable: true })
  maximumWithdrawal: number | null;
}

export class FeeInfoResponse {
  @ApiProperty({ description: 'Asset symbol.', example: 'BTC' })
  asset: string;

  @ApiProperty({ description: 'Exchange identifier.', example: 'kraken' })
  exchange: string;

  @ApiProperty({ description: 'Fees and bounds by network.', type: [NetworkFeeResponse] })
  networks: NetworkFeeResponse[];
}

export function toFeeInfoResponse({ asset, exchange, networks }: FeeInfo): FeeInfoResponse {
  return {
    asset,
    exchange,
    networks: networks.map((network) => ({
      network: network.id,
      fee: network.fee?.toJsonNumber() ?? null,
      feeAsset: network.feeAsset,
      feeType: 'fixed',
      minimumWithdrawal: network.minWithdrawal?.toJsonNumber() ?? 0,
      maximumWithdrawal: network.maxWithdrawal?.toJsonNumber() ?? null,
    })),
  };
}
