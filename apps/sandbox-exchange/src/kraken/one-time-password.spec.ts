import { wrongTotp } from '../../test/partner.js';
import { TestSandbox, type OpenedAccount } from '../../test/sandbox.js';
import { totpCode } from '../totp.js';

describe('an API key with two-factor authentication', () => {
  let sandbox: TestSandbox;
  let nonce = 1;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
  });
  afterEach(() => sandbox.close());

  const open = (input: Record<string, unknown>) => sandbox.open({ balances: { BTC: '5' }, ...input });
  const call = (account: OpenedAccount, endpoint: string, params: Record<string, string> = {}) =>
    sandbox.errorsOf(account, endpoint, { nonce: String(nonce++), ...params });
  const withdraw = (account: OpenedAccount, otp?: string) =>
    call(account, 'Withdraw', {
      asset: 'XBT',
      key: account.withdrawalAddresses[0]?.key ?? '',
      amount: '1',
      ...(otp === undefined ? {} : { otp }),
    });
  const codeOf = ({ totpSecret }: OpenedAccount) => totpCode(totpSecret ?? '', sandbox.clock.now);

  it('needs no code for a read and a valid code for a withdrawal when it protects withdrawals only', async () => {
    const account = await open({ otp: 'withdrawals' });
    expect(await call(account, 'Balance')).toEqual([]);
    expect(await withdraw(account)).toEqual(['EAPI:OTP required']);
    expect(await withdraw(account, '')).toEqual(['EAPI:OTP required']);
    expect(await withdraw(account, wrongTotp(account.totpSecret ?? '', sandbox.clock.now))).toEqual([
      'EAPI:Invalid OTP',
    ]);
    expect((await sandbox.ledger(account)).withdrawals).toEqual([]);
    expect(await withdraw(account, codeOf(account))).toEqual([]);
    expect((await sandbox.ledger(account)).withdrawals).toHaveLength(1);
  });

  it('accepts each code once, even when the withdrawal was refused for another reason', async () => {
    const account = await open({ otp: 'withdrawals', balances: { BTC: '1.5' } });
    expect(await withdraw(account, codeOf(account))).toEqual([]);
    expect(await withdraw(account, codeOf(account))).toEqual(['EAPI:Invalid OTP']);
    sandbox.advance(30_000);
    const spent = codeOf(account);
    expect(await withdraw(account, spent)).toEqual(['EFunding:Insufficient funds']);
    expect(await withdraw(account, spent)).toEqual(['EAPI:Invalid OTP']);
  });

  it('needs a code even for a read when it protects all calls', async () => {
    const account = await open({ otp: 'all' });
    expect(await call(account, 'Balance')).toEqual(['EAPI:OTP required']);
    expect(await call(account, 'Balance', { otp: codeOf(account) })).toEqual([]);
  });

  it('can be refused with EAPI:Invalid signature when the code is missing', async () => {
    const account = await open({ otp: 'all', otpRefusal: 'signature' });
    expect(await call(account, 'Balance')).toEqual(['EAPI:Invalid signature']);
    expect(await call(account, 'Balance', { otp: codeOf(account) })).toEqual([]);
  });

  it('is not the default: an ordinary key has no authenticator secret and needs no code', async () => {
    const account = await open({});
    expect(account.totpSecret).toBeNull();
    expect(await withdraw(account)).toEqual([]);
  });
});
