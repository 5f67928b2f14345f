import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

describe('the control API of partner accounts', () => {
  let sandbox: TestSandbox;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  it('opens an account, and returns the same account for the same token', async () => {
    const token = 'mine';
    const verification = { mode: 'inline', methods: ['GOOGLE'] };
    const { account } = await PartnerClient.open(sandbox, { token, verification });
    expect(account).toEqual({
      accountId: expect.any(String),
      token,
      totpSecret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      addresses: expect.objectContaining({ BTC: expect.objectContaining({ bitcoin: expect.any(String) }) }),
    });
    const again = await PartnerClient.open(sandbox, { token, balances: { BTC: '99' } });
    expect(again.account).toEqual(account);
    expect(await again.balance()).toBe('5');
  });

  it('by default opens an account with a new token and without an authenticator', async () => {
    const { status, body } = await sandbox.control('POST', 'partner/accounts');
    expect({ status, body }).toMatchObject({ status: 200, body: { totpSecret: null } });
    expect((body as { token: string }).token).toMatch(/^partner_[0-9a-f]{48}$/);
  });

  it.each([
    { balances: { NOPE: '1' } },
    { balances: { BTC: '0.00000000001' } },
    { verification: { mode: 'inline', methods: [] } },
    { verification: { mode: 'inline', methods: ['GOOGLE', 'EMAIL'] } },
    { verification: { mode: 'step_by_step', methods: [] } },
    { verification: { mode: 'step_by_step', methods: ['EMAIL', 'EMAIL'] } },
    { verification: { mode: 'step_by_step', methods: ['YUBIKEY'] } },
    { verification: { mode: 'all_at_once', methods: ['EMAIL'], relation: 'XOR' } },
    { verification: { mode: 'none', methods: ['EMAIL'] } },
    { kyc: 'maybe' },
    { permissions: ['everything'] },
    { withdrawalsPerMinute: 0 },
    { addressBookMax: 1001 },
    { surprise: true },
  ])('refuses the account %j without opening it', async (input) => {
    const { status } = await sandbox.control('POST', 'partner/accounts', { token: 'mine', ...input });
    expect(status).toBe(422);
    expect((await sandbox.control('GET', 'ledger?token=mine')).status).toBe(404);
  });

  it('returns the messages of an account, newest first', async () => {
    const client = await PartnerClient.open(sandbox, { verification: { mode: 'step_by_step', methods: ['EMAIL'] } });
    const first = await client.challenge();
    sandbox.advance(1000);
    const second = await client.challenge({ reference: 'two' });
    const at = sandbox.clock.now.getTime();
    expect(await client.messages()).toEqual([
      { kind: 'email', to: expect.stringContaining('@'), code: expect.any(String), challengeId: second.id, at },
      { kind: 'email', to: expect.any(String), code: expect.any(String), challengeId: first.id, at: at - 1000 },
    ]);
    expect((await sandbox.control('GET', 'accounts/nobody/messages')).status).toBe(404);
  });

  it('refuses to confirm a face check when none is pending', async () => {
    const client = await PartnerClient.open(sandbox, { verification: { mode: 'step_by_step', methods: ['EMAIL'] } });
    await client.challenge();
    expect((await client.confirmFace()).status).toBe(404);
    expect((await client.confirmFace({ success: 'yes' })).status).toBe(422);
    const { accountId } = await sandbox.open();
    expect((await sandbox.control('POST', `accounts/${accountId}/face`, {})).status).toBe(422);
  });

  it('returns the same ledger for the token as for the account, and deletes the account at a reset', async () => {
    const client = await PartnerClient.open(sandbox);
    await client.withdraw();
    const byToken = await sandbox.control('GET', `ledger?token=${client.account.token}`);
    const byId = await sandbox.control('GET', `accounts/${client.account.accountId}/ledger`);
    expect(byToken).toEqual(byId);
    expect(byToken.body).toMatchObject({
      balances: { BTC: { total: '4.98985' } },
      withdrawals: [{ status: 'Initial', partner: { reference: 'one' } }],
    });
    await sandbox.control('POST', 'reset');
    expect((await client.call('GET', '/account')).status).toBe(401);
  });
});
