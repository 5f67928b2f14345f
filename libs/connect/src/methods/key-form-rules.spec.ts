import type { CredentialField } from '#exchange';
import { declaredExchanges } from '#exchange/testing';
import { Secret } from '#platform/crypto';
import { malformedFields } from './key-form-rules.js';

const PEM = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE+/=\nAb==\n-----END EC PRIVATE KEY-----\n';

describe('the fields of a pasted key that are malformed', () => {
  const malformed = (exchange: string, form: Partial<Record<CredentialField, string>>) =>
    malformedFields(
      declaredExchanges[exchange]?.spec.keyGuide,
      Object.fromEntries(Object.entries(form).map(([field, text]) => [field, new Secret(text)])),
    );

  it.each<[string, Partial<Record<CredentialField, string>>]>([
    ['kraken', { apiKey: 'Ab/+9', apiSecret: 'd3Jvbmc=' }],
    ['kraken', { apiKey: 'Ab/+9', apiSecret: 'd3Jvbmdz' }],
    ['coinbase', { apiKey: 'organizations/1/apiKeys/2', apiSecret: PEM }],
    ['coinbase', { apiKey: 'organizations/1/apiKeys/2', apiSecret: PEM.replaceAll('\n', ' ') }],
    ['coinbase', { apiKey: 'organizations/1/apiKeys/2', apiSecret: `${'aB3/'.repeat(21)}aB==` }],
    ['sandbox', { apiKey: 'sandbox_none_1' }],
  ])('are none when each field has the form of a key of %s', (exchange, form) =>
    expect(malformed(exchange, form)).toEqual([]),
  );

  it.each<[string, Partial<Record<CredentialField, string>>, CredentialField[]]>([
    ['kraken', { apiKey: 'good', apiSecret: '!!!no base64' }, ['apiSecret']],
    ['kraken', { apiKey: 'good', apiSecret: 'd3Jvbmc' }, ['apiSecret']],
    ['kraken', { apiKey: 'good\u200b', apiSecret: 'd3Jvbmc=' }, ['apiKey']],
    ['kraken', { apiKey: 'клю', apiSecret: 'клю' }, ['apiKey', 'apiSecret']],
    ['kraken', { apiKey: 'a\r\nx-evil: 1', apiSecret: 'd3Jvbmc=' }, ['apiKey']],
    ['kraken', { apiKey: 'two words', apiSecret: 'd3Jv bmc=' }, ['apiKey', 'apiSecret']],
    ['coinbase', { apiKey: 'organizations/1/apiKeys/2', apiSecret: 'no pem' }, ['apiSecret']],
    ['coinbase', { apiKey: 'organizations/1/apiKeys/2', apiSecret: 'short' }, ['apiSecret']],
    ['coinbase', { apiKey: 'name', apiSecret: PEM.replace('END EC', 'END') }, ['apiSecret']],
    ['sandbox', { apiKey: 'tok\nx: 1' }, ['apiKey']],
  ])('are those whose value no key of the exchange can have: %s %j', (exchange, form, fields) =>
    expect(malformed(exchange, form)).toEqual(fields),
  );
});
