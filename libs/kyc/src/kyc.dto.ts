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
    description:
      'Number of an account, as the exchange tells it, without spaces and not checked. Kraken tells its own number of the ' +
      'account with it (IIBAN), which is no bank account: nothing can be paid to it.',
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
