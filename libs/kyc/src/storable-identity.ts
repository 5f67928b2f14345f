import type { AccountIdentity } from '#exchange';

const FULL_NAME_MAX = 256;
/** Of an address by RFC 5321. */
const EMAIL_MAX = 254;
/** ISO 13616: a country, two check digits, up to 30 of the account. Exchanges write them with spaces, too. */
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/;
const COUNTRY = /^[A-Z]{2}$/;

/** Controls, halves of characters, and what turns the direction of the text around it. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * What is kept of what an exchange says of a person: text that can be shown. A name that is too long is cut; of what a
 * part would be wrong about, nothing is kept.
 */
export function toStorableIdentity({ fullName, email, iban, country }: AccountIdentity): AccountIdentity {
  const name = cleaned(fullName);
  const address = cleaned(email);
  const account = cleaned(iban)?.replaceAll(' ', '').toUpperCase() ?? '';
  const code = cleaned(country)?.toUpperCase() ?? '';
  return {
    fullName: name === null ? null : [...name].slice(0, FULL_NAME_MAX).join('').trimEnd(),
    email: address === null || address.length > EMAIL_MAX ? null : address,
    iban: IBAN.test(account) ? account : null,
    country: COUNTRY.test(code) ? code : null,
  };
}

function cleaned(text: string | null): string | null {
  const clean = text?.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim() ?? '';
  return clean === '' ? null : clean;
}
