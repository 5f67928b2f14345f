import { PartnerClient, type ShownChallenge } from '../../../test/partner.js';
import { TestSandbox } from '../../../test/sandbox.js';

const YUBIKEY = `cccccc${'cbdefghijklnrtuv'.repeat(3).slice(0, 38)}`;
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000');
const statuses = ({ steps }: ShownChallenge) => Object.fromEntries(steps.map((step) => [step.method, step.status]));

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await TestSandbox.start();
});
afterEach(() => sandbox.close());

const open = (mode: string, methods: string[], relation = 'AND') =>
  PartnerClient.open(sandbox, { verification: { mode, methods, relation } });

describe('an account with inline verification', () => {
  it('has no challenge', async () => {
    expect(await (await open('inline', ['GOOGLE'])).challenge()).toBeNull();
    expect(await (await PartnerClient.open(sandbox)).challenge()).toBeNull();
  });

  it.each<[string, string, (client: PartnerClient) => Promise<string>]>([
    ['GOOGLE', 'authenticator', (client) => Promise.resolve(client.totp())],
    ['EMAIL', 'email', (client) => client.code('email')],
    ['SMS', 'sms', (client) => client.code('sms')],
    ['YUBIKEY', 'authenticator', () => Promise.resolve(YUBIKEY)],
    ['PASSPHRASE', 'authenticator', () => Promise.resolve('open sesame')],
  ])('requires %s, refuses a wrong code, and books a withdrawal with a valid code', async (method, name, codeOf) => {
    const client = await open('inline', [method]);
    const refused = await client.withdraw();
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'verification_required', method } } });
    const code = await codeOf(client);
    const wrong = method === 'GOOGLE' ? client.wrongTotp() : wrongOf(code);
    const failed = await client.withdraw({ codes: { [name]: wrong } });
    expect(failed).toMatchObject({ status: 403, body: { error: { code: 'verification_failed', method } } });
    expect(await client.booked()).toEqual([]);
    expect((await client.withdraw({ codes: { [name]: code } })).status).toBe(201);
  });

  it.each<[string, string]>([
    ['GOOGLE', ''],
    ['YUBIKEY', YUBIKEY],
  ])('accepts each code of %s once', async (method, fixed) => {
    const client = await open('inline', [method]);
    const authenticator = fixed === '' ? client.totp() : fixed;
    expect((await client.withdraw({ codes: { authenticator } })).status).toBe(201);
    expect(await client.errorOf({ reference: 'two', codes: { authenticator } })).toBe('verification_failed');
    expect(await client.booked()).toHaveLength(1);
  });

  it('accepts an authenticator code one step early or late, but not two steps', async () => {
    const client = await open('inline', ['GOOGLE']);
    const now = sandbox.clock.now.getTime();
    const attempt = (reference: string, stepsAway: number) =>
      client.withdraw({ reference, codes: { authenticator: client.totp(now + stepsAway * 30_000) } });
    expect((await attempt('a', -2)).status).toBe(403);
    expect((await attempt('b', 2)).status).toBe(403);
    expect((await attempt('c', -1)).status).toBe(201);
    expect((await attempt('d', 1)).status).toBe(201);
  });

  it('sends one code per withdrawal, and a new code after the first has expired', async () => {
    const client = await open('inline', ['EMAIL']);
    await client.withdraw();
    await client.withdraw();
    const old = await client.code('email');
    expect(await client.messages()).toMatchObject([{ kind: 'email', to: expect.stringContaining('@'), code: old }]);
    expect(await client.errorOf({ reference: 'two', codes: { email: old } })).toBe('verification_required');
    sandbox.advance(600_000);
    expect(await client.errorOf({ codes: { email: old } })).toBe('verification_required');
    expect(await client.messages()).toHaveLength(3);
    expect((await client.withdraw({ codes: { email: await client.code('email') } })).status).toBe(201);
  });

  it('locks a withdrawal after ten wrong codes, but not the next withdrawal', async () => {
    const client = await open('inline', ['PASSPHRASE']);
    for (let index = 0; index < 10; index += 1) {
      expect(await client.errorOf({ codes: { authenticator: 'guess' } })).toBe('verification_failed');
    }
    const right = { codes: { authenticator: 'open sesame' } };
    expect(await client.withdraw(right)).toMatchObject({ status: 423, body: { error: { code: 'challenge_locked' } } });
    expect((await client.withdraw({ reference: 'two', ...right })).status).toBe(201);
  });

  it('requires a face check, which is valid for one withdrawal', async () => {
    const client = await open('inline', ['FACE']);
    expect(await client.withdraw()).toMatchObject({
      body: { error: { code: 'verification_required', method: 'FACE' } },
    });
    await client.confirmFace({ success: false });
    expect(await client.errorOf()).toBe('verification_failed');
    expect(await client.errorOf()).toBe('verification_required');
    await client.confirmFace();
    expect((await client.withdraw()).status).toBe(201);
    expect(await client.errorOf({ reference: 'two' })).toBe('verification_required');
  });
});

describe('an account with step-by-step verification', () => {
  it('opens one challenge for a reference, and sends its codes once', async () => {
    const client = await open('step_by_step', ['GOOGLE', 'EMAIL', 'SMS']);
    const challenge = await client.challenge();
    expect(challenge).toEqual({
      id: expect.any(String),
      reference: 'one',
      mode: 'step_by_step',
      relation: 'AND',
      lockedAt: null,
      expiresAt: sandbox.clock.now.getTime() + 600_000,
      steps: [
        { method: 'GOOGLE', status: 'pending', required: true },
        { method: 'EMAIL', status: 'pending', required: true, email: expect.stringContaining('***'), emailSent: true },
        { method: 'SMS', status: 'pending', required: true, phone: expect.stringContaining('***'), smsSent: true },
      ],
    });
    expect(await client.challenge()).toEqual(challenge);
    const messages = await client.messages();
    expect(messages.map(({ kind, challengeId }) => [kind, challengeId])).toEqual([
      ['sms', challenge.id],
      ['email', challenge.id],
    ]);
    const read = await client.call('GET', `/challenges/${challenge.id}`);
    expect(read.body).toEqual({ challenge });
  });

  it('books a withdrawal when every step is verified, and returns the challenge before that', async () => {
    const client = await open('step_by_step', ['GOOGLE', 'EMAIL']);
    const { id: challengeId } = await client.challenge();
    expect(await client.withdraw({ challengeId })).toMatchObject({
      status: 403,
      body: { error: { code: 'verification_required', challenge: { id: challengeId } } },
    });
    const email = await client.code('email');
    const wrong = await client.verify(challengeId, 'EMAIL', wrongOf(email));
    expect(wrong.status).toBe(200);
    expect(statuses(wrong.body.challenge)).toEqual({ GOOGLE: 'pending', EMAIL: 'failure' });
    const right = await client.verify(challengeId, 'EMAIL', email);
    expect(statuses(right.body.challenge)).toEqual({ GOOGLE: 'pending', EMAIL: 'success' });
    const again = await client.verify(challengeId, 'EMAIL', wrongOf(email));
    expect(statuses(again.body.challenge)).toEqual({ GOOGLE: 'pending', EMAIL: 'success' });
    expect(await client.errorOf({ challengeId, codes: { authenticator: client.totp() } })).toBe(
      'verification_required',
    );
    await client.verify(challengeId, 'GOOGLE', client.totp());
    expect((await client.withdraw({ challengeId })).status).toBe(201);
    expect(await client.booked()).toHaveLength(1);
  });

  it('books a withdrawal when any step of an OR challenge is verified', async () => {
    const client = await open('step_by_step', ['GOOGLE', 'SMS'], 'OR');
    const challenge = await client.challenge();
    expect(challenge).toMatchObject({ relation: 'OR', steps: [{ required: false }, { required: false }] });
    expect(await client.errorOf({ challengeId: challenge.id })).toBe('verification_required');
    await client.verify(challenge.id, 'SMS', await client.code('sms'));
    expect((await client.withdraw({ challengeId: challenge.id })).status).toBe(201);
  });

  it('opens a challenge for a withdrawal that comes without a challenge', async () => {
    const client = await open('step_by_step', ['EMAIL']);
    const { body } = await client.withdraw();
    expect(body.error).toMatchObject({ code: 'verification_required', challenge: { reference: 'one' } });
    expect(await client.challenge()).toEqual(body.error?.challenge);
    expect(await client.messages()).toHaveLength(1);
  });

  it('confirms a face check, even after a failed one, for the named challenge or else for the newest', async () => {
    const client = await open('step_by_step', ['FACE', 'GOOGLE']);
    const first = await client.challenge();
    const second = await client.challenge({ reference: 'two' });
    await client.confirmFace({ success: false });
    await client.confirmFace({ challengeId: first.id });
    const shown = async (id: string) =>
      statuses((await client.call<{ challenge: ShownChallenge }>('GET', `/challenges/${id}`)).body.challenge);
    expect(await shown(first.id)).toEqual({ FACE: 'success', GOOGLE: 'pending' });
    expect(await shown(second.id)).toEqual({ FACE: 'failure', GOOGLE: 'pending' });
    await client.confirmFace();
    expect(await shown(second.id)).toEqual({ FACE: 'success', GOOGLE: 'pending' });
    expect((await client.confirmFace()).status).toBe(404);
    expect((await client.verify(first.id, 'FACE', '1')).body.error?.code).toBe('invalid_request');
  });

  it('refuses a code that any challenge has accepted before', async () => {
    const client = await open('step_by_step', ['GOOGLE']);
    const [first, second] = [await client.challenge(), await client.challenge({ reference: 'two' })];
    const code = client.totp();
    expect(statuses((await client.verify(first.id, 'GOOGLE', code)).body.challenge)).toEqual({ GOOGLE: 'success' });
    expect(statuses((await client.verify(second.id, 'GOOGLE', code)).body.challenge)).toEqual({ GOOGLE: 'failure' });
    sandbox.advance(30_000);
    const next = await client.verify(second.id, 'GOOGLE', client.totp());
    expect(statuses(next.body.challenge)).toEqual({ GOOGLE: 'success' });
  });

  it('locks a challenge after ten wrong codes, and opens no other challenge until it has expired', async () => {
    const client = await open('step_by_step', ['GOOGLE', 'EMAIL']);
    const { id } = await client.challenge();
    const email = await client.code('email');
    for (let index = 1; index <= 10; index += 1) {
      const { status, body } = await client.verify(id, 'EMAIL', wrongOf(email));
      expect([status, body.challenge.lockedAt === null]).toEqual([200, index < 10]);
    }
    expect(await client.verify(id, 'EMAIL', email)).toMatchObject({
      status: 423,
      body: { error: { code: 'challenge_locked' } },
    });
    expect(await client.errorOf({ challengeId: id })).toBe('challenge_locked');
    expect(await client.errorOf()).toBe('challenge_locked');
    await expect(client.challenge()).rejects.toThrow('challenge_locked');
    sandbox.advance(600_000);
    expect((await client.challenge()).id).not.toBe(id);
  });

  it('drops even a verified challenge after ten minutes', async () => {
    const client = await open('step_by_step', ['EMAIL']);
    const { id } = await client.challenge();
    await client.verify(id, 'EMAIL', await client.code('email'));
    sandbox.advance(600_000);
    for (const { body } of [
      await client.call<{ error: { code: string } }>('GET', `/challenges/${id}`),
      await client.verify(id, 'EMAIL', '000000'),
      await client.withdraw({ challengeId: id }),
    ]) {
      expect(body.error?.code).toBe('challenge_not_found');
    }
    expect((await client.challenge()).id).not.toBe(id);
    expect(await client.messages()).toHaveLength(2);
  });

  it('refuses a challenge for another withdrawal or another account', async () => {
    const client = await open('step_by_step', ['EMAIL']);
    const { id } = await client.challenge();
    await expect(client.challenge({ amount: '0.02' })).rejects.toThrow('challenge_mismatch');
    await client.verify(id, 'EMAIL', await client.code('email'));
    expect(await client.errorOf({ challengeId: id, amount: '0.02' })).toBe('challenge_mismatch');
    expect(await client.errorOf({ challengeId: id, reference: 'two' })).toBe('challenge_mismatch');
    const stranger = await open('step_by_step', ['EMAIL']);
    expect(await stranger.errorOf({ challengeId: id })).toBe('challenge_not_found');
    expect((await stranger.call('GET', `/challenges/${id}`)).status).toBe(404);
    expect((await client.withdraw({ challengeId: id })).status).toBe(201);
    await expect(client.challenge()).rejects.toThrow('reference_conflict');
  });

  it('refuses methods that the challenge lacks, and opens no challenge for a withdrawal that cannot be booked', async () => {
    const client = await open('step_by_step', ['EMAIL']);
    const { id } = await client.challenge();
    expect(await client.verify(id, 'SMS', '000000')).toMatchObject({
      status: 422,
      body: { error: { code: 'method_not_in_challenge' } },
    });
    expect((await client.verify(id, 'PIGEON', '0')).body.error?.code).toBe('invalid_request');
    await expect(client.challenge({ reference: 'two', address: 'nowhere' })).rejects.toThrow('invalid_address');
  });
});

describe('an account that requires all codes at once', () => {
  let client: PartnerClient;
  let challengeId: string;
  beforeEach(async () => {
    client = await open('all_at_once', ['GOOGLE', 'EMAIL']);
    challengeId = (await client.challenge()).id;
  });

  it('books a withdrawal with all codes in one call', async () => {
    const codes = { authenticator: client.totp(), email: await client.code('email') };
    expect((await client.withdraw({ challengeId, codes })).status).toBe(201);
  });

  it('checks no code while another code is missing', async () => {
    const code = client.totp();
    const { body } = await client.withdraw({ challengeId, codes: { authenticator: code } });
    expect(body.error).toMatchObject({ code: 'verification_required', challenge: { steps: [{}, {}] } });
    const codes = { authenticator: code, email: await client.code('email') };
    expect((await client.withdraw({ challengeId, codes })).status).toBe(201);
  });

  it('keeps the valid codes when another code was wrong, and then requires only that code again', async () => {
    const email = await client.code('email');
    const { status, body } = await client.withdraw({
      challengeId,
      codes: { authenticator: client.totp(), email: wrongOf(email) },
    });
    expect([status, body.error?.code]).toEqual([403, 'verification_failed']);
    expect(body.error?.challenge?.steps).toMatchObject([{ status: 'success' }, { status: 'failure' }]);
    expect(await client.booked()).toEqual([]);
    expect((await client.withdraw({ challengeId, codes: { email } })).status).toBe(201);
  });

  it('locks the challenge after ten wrong codes', async () => {
    const codes = { authenticator: client.wrongTotp(), email: wrongOf(await client.code('email')) };
    for (let index = 0; index < 5; index += 1) {
      expect(await client.errorOf({ challengeId, codes })).toBe('verification_failed');
    }
    expect(await client.errorOf({ challengeId, codes })).toBe('challenge_locked');
  });

  it('refuses to verify a single code, and refuses a code for which the challenge has no step', async () => {
    expect((await client.verify(challengeId, 'GOOGLE', client.totp())).body.error?.code).toBe('invalid_request');
    expect(await client.errorOf({ challengeId, codes: { sms: '000000' } })).toBe('method_not_in_challenge');
  });

  it('accepts the code of any single step of an OR challenge', async () => {
    const either = await open('all_at_once', ['GOOGLE', 'SMS'], 'OR');
    const { id } = await either.challenge();
    expect(await either.errorOf({ challengeId: id })).toBe('verification_required');
    expect(await either.errorOf({ challengeId: id, codes: { authenticator: either.wrongTotp() } })).toBe(
      'verification_failed',
    );
    const codes = { authenticator: either.wrongTotp(), sms: await either.code('sms') };
    expect((await either.withdraw({ challengeId: id, codes })).status).toBe(201);
  });
});
