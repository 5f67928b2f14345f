import { Webhook } from 'standardwebhooks';
import { WebhookInvalidTimestamp, WebhookMissingHeaders, WebhookSignatureInvalid } from './received.errors.js';
import { TOLERANCE_SECONDS, verifyNotice } from './verify-notice.js';

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
const NOW = new Date('2026-01-01T00:00:00Z');
const TEXT = '{"type":"deposit.updated"}';

function signed(options: { at?: Date; secret?: string; id?: string } = {}): Record<string, string> {
  const { at = NOW, secret = SECRET, id = 'n1' } = options;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': new Webhook(secret).sign(id, at, TEXT),
  };
}

const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
function verify(sent: Record<string, string | string[]>, text = TEXT, secret: string | null = SECRET): string {
  const headers = Object.fromEntries(Object.entries(sent).map(([name, values]) => [name, [values].flat()]));
  return verifyNotice({ headers, text }, secret ?? undefined, NOW);
}

describe('verifyNotice', () => {
  it('returns the id of a webhook with a valid signature, even if the webhook also has other signatures', () => {
    expect(verify(signed())).toBe('n1');
    const both = `${new Webhook(OTHER).sign('n1', NOW, TEXT)} v2,x ${signed()['webhook-signature'] ?? ''}`;
    expect(verify({ ...signed(), 'webhook-signature': both })).toBe('n1');
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'refuses a webhook whose header %s is missing or repeated',
    (name) => {
      const headers = Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name));
      expect(() => verify(headers)).toThrow(WebhookMissingHeaders);
      expect(() => verify({ ...headers, [name]: ['a', 'b'] })).toThrow(WebhookMissingHeaders);
    },
  );

  it.each(['', 'x'.repeat(129), 'a b'])('refuses the id %j', (id) => {
    expect(() => verify(signed({ id }))).toThrow(WebhookMissingHeaders);
  });

  it('accepts times up to the tolerance before and after our time', () => {
    for (const seconds of [-TOLERANCE_SECONDS, TOLERANCE_SECONDS])
      expect(verify(signed({ at: after(seconds) }))).toBe('n1');
    for (const seconds of [-TOLERANCE_SECONDS - 1, TOLERANCE_SECONDS + 1]) {
      expect(() => verify(signed({ at: after(seconds) }))).toThrow(WebhookInvalidTimestamp);
    }
  });

  it.each(['now', '1e9', '-1', '1.5', ''])('refuses the time %j', (timestamp) => {
    expect(() => verify({ ...signed(), 'webhook-timestamp': timestamp })).toThrow(WebhookInvalidTimestamp);
  });

  it('refuses a signature of another secret, body or id, and every signature while no secret is configured', () => {
    expect(() => verify(signed({ secret: OTHER }))).toThrow(WebhookSignatureInvalid);
    expect(() => verify(signed(), `${TEXT} `)).toThrow(WebhookSignatureInvalid);
    expect(() => verify({ ...signed(), 'webhook-id': 'n2' })).toThrow(WebhookSignatureInvalid);
    expect(() => verify(signed(), TEXT, null)).toThrow(WebhookSignatureInvalid);
  });
});
