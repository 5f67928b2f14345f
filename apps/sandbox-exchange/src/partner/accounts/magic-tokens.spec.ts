import { PartnerClient } from '../../../test/partner.js';
import { TestSandbox } from '../../../test/sandbox.js';
import { totpCode } from '../../totp.js';

describe('a magic token', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const addresses = { BTC: { bitcoin: 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6' } };
  const client = (token: string) =>
    new PartnerClient(sandbox, { accountId: '', token, totpSecret: 'JBSWY3DPEHPK3PXP', addresses });

  it.each<[string, object]>([
    ['none', { mode: 'none' }],
    ['totp', { mode: 'inline', methods: ['GOOGLE'] }],
    ['email', { mode: 'inline', methods: ['EMAIL'] }],
    ['sms', { mode: 'inline', methods: ['SMS'] }],
    ['face', { mode: 'inline', methods: ['FACE'] }],
    ['yubikey', { mode: 'inline', methods: ['YUBIKEY'] }],
    ['passphrase', { mode: 'inline', methods: ['PASSPHRASE'] }],
    ['multi', { mode: 'step_by_step', relation: 'AND', methods: ['GOOGLE', 'EMAIL'] }],
    ['multi_or', { mode: 'step_by_step', relation: 'OR', methods: ['GOOGLE', 'SMS'] }],
    ['multi_face', { mode: 'step_by_step', relation: 'AND', methods: ['EMAIL', 'SMS', 'FACE'] }],
    ['collect', { mode: 'all_at_once', relation: 'AND', methods: ['GOOGLE', 'EMAIL'] }],
  ])('sandbox_%s opens an account with the verification %j', async (scenario, verification) => {
    for (const token of [`sandbox_${scenario}`, `sandbox_${scenario}_one`]) {
      const { status, body } = await client(token).call('GET', '/account');
      expect({ status, body }).toMatchObject({ status: 200, body: { verification } });
    }
  });

  it.each([
    ['kyc', 'kyc_required'],
    ['unverified_email', 'email_unverified'],
    ['hold', 'account_on_hold'],
    ['full_book', 'too_many_addresses'],
    ['revoked', 'token_revoked'],
    ['expired', 'token_expired'],
    ['read_only', 'permission_missing'],
  ])('sandbox_%s gets the error %s for a withdrawal to a new address', async (scenario, code) => {
    expect(await client(`sandbox_${scenario}_1`).errorOf()).toBe(code);
  });

  it('sandbox_rate_limited withdraws once a minute', async () => {
    const limited = client('sandbox_rate_limited');
    expect((await limited.withdraw()).status).toBe(201);
    expect(await limited.errorOf({ reference: 'two' })).toBe('rate_limited');
  });

  it('sandbox_full_book still withdraws to saved addresses', async () => {
    const saved = (await PartnerClient.open(sandbox)).account.addresses['BTC']?.['bitcoin'];
    expect((await client('sandbox_full_book').withdraw({ address: saved })).status).toBe(201);
  });

  it('has a separate account for each suffix, with money and the documented authenticator', async () => {
    const [one, two] = [client('sandbox_totp_1'), client('sandbox_totp_2')];
    const codes = { authenticator: totpCode('JBSWY3DPEHPK3PXP', sandbox.clock.now) };
    expect((await one.withdraw({ codes })).status).toBe(201);
    expect(await one.booked()).toHaveLength(1);
    expect(await two.balance()).toBe('5');
    expect((await two.withdraw({ codes })).status).toBe(201);
  });

  it.each(['sandbox_', 'sandbox_nothing', 'sandbox_totpx', 'sandbox_constructor', `sandbox_none_${'x'.repeat(200)}`])(
    'cannot be %s',
    async (token) => {
      expect((await client(token).call('GET', '/account')).status).toBe(401);
      expect((await sandbox.control('GET', `ledger?token=${token}`)).status).toBe(404);
    },
  );
});
