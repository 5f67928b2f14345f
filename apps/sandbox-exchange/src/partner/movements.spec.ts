import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

interface Movement {
  id: string;
  type: string;
  recordId: string | null;
  change: string;
}
interface ResponseBody {
  movements: Movement[];
  nextCursor: string | null;
  error?: { code: string };
}

describe('movements of the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
    sandbox.advance(1000);
  });
  afterEach(() => sandbox.close());

  const list = async (query = '?asset=BTC'): Promise<ResponseBody> =>
    (await client.call<ResponseBody>('GET', `/movements${query}`)).body;
  const summaryOf = ({ movements }: ResponseBody) =>
    movements.map(({ type, recordId, change }) => [type, recordId, change]);
  const withdraw = async (): Promise<string> => {
    const validUntil = sandbox.clock.now.getTime() + 60_000;
    const order = { reference: 'one', maxFee: '1', validUntil, ...client.order() };
    const { body } = await client.call<{ withdrawal: { id: string } }>('POST', '/withdrawals', order);
    return body.withdrawal.id;
  };
  const fund = async (amount: string): Promise<string> => {
    const order = { asset: 'BTC', amount };
    return (
      (await sandbox.control('POST', `accounts/${client.account.accountId}/fund`, order)).body as { refid: string }
    ).refid;
  };

  it('include everything that changed the balance, newest first, with fees deducted', async () => {
    const opening = ['transfer', null, '5'];
    const id = await withdraw();
    expect(summaryOf(await list())).toEqual([['withdrawal', id, '-0.01015'], opening]);
    await sandbox.control('POST', `withdrawals/${id}`, { status: 'failed' });
    const deposit = await fund('0.5');
    expect(summaryOf(await list())).toEqual([
      ['deposit', deposit, '0.5'],
      ['withdrawal', id, '0.01015'],
      ['withdrawal', id, '-0.01015'],
      opening,
    ]);
    expect((await list()).movements[0]).toMatchObject({ asset: 'BTC', createdAt: sandbox.clock.now.getTime() });
  });

  it('come in pages, filtered by asset and time', async () => {
    for (const amount of ['0.1', '0.2', '0.3']) {
      sandbox.advance(1000);
      await fund(amount);
    }
    const now = sandbox.clock.now.getTime();
    const first = await list('?asset=BTC&limit=2');
    expect(first.movements.map(({ change }) => change)).toEqual(['0.3', '0.2']);
    const second = await list(`?asset=BTC&limit=2&cursor=${first.nextCursor}`);
    expect(second.movements.map(({ change }) => change)).toEqual(['0.1', '5']);
    expect(second.nextCursor).toBeNull();
    expect(summaryOf(await list(`?since=${now - 1000}&until=${now - 1000}`))).toMatchObject([['deposit', {}, '0.2']]);
    expect((await list('?asset=BTC&cursor=nobody')).error?.code).toBe('invalid_request');
  });

  it('need the permission to read, and support all faults of histories except `history_other_fee`', async () => {
    const reader = await PartnerClient.open(sandbox, { permissions: ['withdraw'] });
    expect((await reader.call<ResponseBody>('GET', '/movements')).body.error?.code).toBe('permission_missing');
    await fund('1');
    await sandbox.arm('partner.movements', 'history_lags', { delayMs: 500 });
    expect(summaryOf(await list())).toEqual([['transfer', null, '5']]);
    await sandbox.arm('partner.movements', 'history_errors');
    expect((await list()).error?.code).toBe('internal_error');
    const other = { endpoint: 'partner.movements', fault: 'history_other_fee' };
    expect((await sandbox.control('POST', 'faults', other)).status).toBe(422);
  });
});
