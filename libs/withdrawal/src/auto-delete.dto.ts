import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsOptional } from 'class-validator';

/** The switch of every endpoint that may find the credentials of a wallet invalid. */
export class AutoDeleteQuery {
  @ApiPropertyOptional({
    description:
      'Deletes the wallet when the exchange itself says, twice and independently, that its credentials are invalid. Never while a withdrawal is unresolved.',
    type: 'boolean',
    default: true,
    example: false,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean({ message: 'autoDeleteIfInvalid must be true or false' })
  autoDeleteIfInvalid: boolean = true;
}
