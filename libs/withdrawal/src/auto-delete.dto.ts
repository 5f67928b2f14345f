import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

/** The query parameter of every endpoint that may find the credentials of a wallet invalid. */
export class AutoDeleteQuery {
  @ApiPropertyOptional({
    description:
      'Whether the wallet is to be deleted when the exchange refuses its credentials in two signed calls: at once in a test project, and where the exchange says that this key or grant was revoked; else when the refusals have lasted WALLET_DELETE_AFTER (default 1 hour), which `result.deletionAt` tells. Never while a withdrawal or an order is unresolved. With `false` the wallet is only marked (`invalidApi`).',
    type: 'boolean',
    default: true,
    example: false,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'autoDeleteIfInvalid must be true or false' })
  autoDeleteIfInvalid: boolean = true;
}
