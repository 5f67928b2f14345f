import type { AccountIdentity } from '#exchange';

const FULL_NAME_MAX = 256;
/** Longest email address by RFC 5321. */
const EMAIL_MAX = 254;
/** ISO 13616: a country code, two check digits and up to 30 characters. Spaces are removed before the check. */
const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}$/;
const COUNTRY = /^[A-Z]{2}$/;

/** Control characters, lone surrogates, and characters that change the direction of the text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Reduces an identity from an exchange to text that is safe to store and to show. A long name is cut. An email address
 * that is too long, a malformed IBAN and a malformed country become null, because a part of them would be wrong.
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
