import { ApiProperty } from '@nestjs/swagger';
import type { AccountIdentity } from '#exchange';

export class IdentityResponse {
  @ApiProperty({
    description: 'Name as the exchange has it. At most 256 characters.',
    type: String,
    nullable: true,
    example: 'Ada Lovelace',
  })
  fullName: string | null;

  @ApiProperty({ description: 'E-mail address.', type: String, nullable: true, example: 'ada@example.org' })
  email: string | null;

  @ApiProperty({
    description: 'Bank account that the exchange knows, without spaces.',
    type: String,
    nullable: true,
    example: 'DE89370400440532013000',
  })
  iban: string | null;

  @ApiProperty({ description: 'ISO 3166-1 alpha-2.', type: String, nullable: true, example: 'DE' })
  country: string | null;
}

export function toIdentityResponse({ fullName, email, iban, country }: AccountIdentity): IdentityResponse {
  return { fullName, email, iban, country };
}
