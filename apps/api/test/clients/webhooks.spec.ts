import { createHmac, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '#client';

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const OTHER = `whsec_${randomBytes(24).toString('base64')}`;
const NOW = Date.parse('2026-11-23T12:00:00Z');
const EVENT = { id: 'event-1', type: 'wallet.created', walletId: 'wallet-ä', data: { exchange: 'kraken' } };
const BODY = JSON.stringify(EVENT);

/** Returns the headers of a webhook, signed by the library with which the service signs. */
function headers({ secret = SECRET, body = BODY, at = NOW, id = 'event-1' } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
  };
}

describe('verifyWebhook', () => {
  it('returns the event of a webhook that the service has signed', async () => {
    const request = { body: BODY, secret: SECRET, now: NOW };
    await expect(verifyWebhook({ ...request, headers: headers() })).resolves.toEqual(EVENT);
    await expect(verifyWebhook({ ...request, headers: new Headers(headers()) })).resolves.toEqual(EVENT);
    // A framework may pass `Headers` of its own implementation of fetch.
    const foreign = { get: (name: string) => headers()[name.toLowerCase()] ?? null };
    await expect(verifyWebhook({ ...request, headers: foreign })).resolves.toEqual(EVENT);
    const bytes = new TextEncoder().encode(BODY);
    await expect(verifyWebhook({ ...request, body: bytes, headers: headers() })).resolves.toEqual(EVENT);
  });

  describe('during a rotation', () => {
    const signatureOf = (secret: string): string => headers({ secret })['webhook-signature'] ?? '';

    it.each([
      ['first', [SECRET, OTHER]],
      ['second', [OTHER, SECRET]],
    ])('accepts a webhook whose %s signature matches the secret', async (_place, signers) => {
      const rotated = { ...headers(), 'webhook-signature': signers.map(signatureOf).join(' ') };
      await expect(verifyWebhook({ body: BODY, secret: SECRET, headers: rotated, now: NOW })).resolves.toEqual(EVENT);
    });

    it.each([
      ['first', [SECRET, OTHER]],
      ['second', [OTHER, SECRET]],
    ])('accepts a webhook whose signature matches the %s of two secrets', async (_place, secret) => {
      await expect(verifyWebhook({ body: BODY, secret, headers: headers(), now: NOW })).resolves.toEqual(EVENT);
    });
  });

  it.each<[string, { body?: string; headers?: Record<string, string>; now?: number }]>([
    ['another body', { body: `${BODY} ` }],
    ['another id', { headers: { ...headers(), 'webhook-id': 'event-2' } }],
    ['another secret', { headers: headers({ secret: OTHER }) }],
    ['a missing header', { headers: { 'webhook-id': 'event-1' } }],
    ['a time more than five minutes ago', { now: NOW + 301_000 }],
    ['a time more than five minutes ahead', { now: NOW - 301_000 }],
    ['a time that is no number', { headers: { ...headers(), 'webhook-timestamp': 'now' } }],
    ['a signature that is not base64', { headers: { ...headers(), 'webhook-signature': 'v1,%%%' } }],
    ['a signature of another version', { headers: { ...headers(), 'webhook-signature': unversioned() } }],
  ])('refuses a webhook with %s', async (_name, change) => {
    const request = { body: BODY, headers: headers(), secret: SECRET, now: NOW, ...change };
    await expect(verifyWebhook(request)).rejects.toMatchObject({ name: 'WebhookRefused' });
  });

  it('throws for a malformed secret, because every webhook would be refused', async () => {
    const request = { body: BODY, headers: headers(), now: NOW };
    await expect(verifyWebhook({ ...request, secret: 'whsec_' })).rejects.toThrow(
      'secret must be the secret of the endpoint',
    );
  });
});

/** Returns the right signature under a version that does not exist. */
function unversioned(): string {
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  return `v2,${createHmac('sha256', key)
    .update(`event-1.${NOW / 1000}.${BODY}`)
    .digest('base64')}`;
}
