import type { AccountIdentity } from '#exchange';
import { ApiField } from '#platform/http';

export class IdentityResponse {
  @ApiField('Full name as the exchange returned it, cut after 256 characters.', {
    type: String,
    nullable: true,
    example: 'Ada Lovelace',
  })
  fullName: string | null;

  @ApiField('Email address.', { type: String, nullable: true, example: 'ada@example.org' })
  email: string | null;

  @ApiField(
    'Account number as the exchange returned it, without spaces. Its check digits are not verified. An internal number ' +
      'of the exchange (IIBAN) is not a bank account, and no money can be sent to it.',
    { type: String, nullable: true, example: 'DE89370400440532013000' },
  )
  iban: string | null;

  @ApiField('Country code, ISO 3166-1 alpha-2.', { type: String, nullable: true, example: 'DE' })
  country: string | null;
}

export function toIdentityResponse({ fullName, email, iban, country }: AccountIdentity): IdentityResponse {
  return { fullName, email, iban, country };
}
