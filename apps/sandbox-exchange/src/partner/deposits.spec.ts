import { PartnerClient } from '../../test/partner.js';
import { TestSandbox } from '../../test/sandbox.js';

interface ListedDeposit {
  id: string;
  asset: string;
  status: string;
  createdAt: number;
}
interface ResponseBody {
  deposits: ListedDeposit[];
  nextCursor: string | null;
  error?: { code: string };
}

describe('deposits of the partner API', () => {
  let sandbox: TestSandbox;
  let client: PartnerClient;
  beforeEach(async () => {
    sandbox = await TestSandbox.start();
    client = await PartnerClient.open(sandbox);
  });
  afterEach(() => sandbox.close());

  const fund = async (body: object): Promise<{ refid: string; address: string; txid: string }> => {
    const response = await sandbox.control('POST', `accounts/${client.account.accountId}/fund`, body);
    expect(response.status).toBe(200);
    return response.body as { refid: string; address: string; txid: string };
  };
  const list = async (query = ''): Promise<ResponseBody> =>
    (await client.call<ResponseBody>('GET', `/deposits${query}`)).body;

  it('are listed with all of their fields', async () => {
    const { refid, address, txid } = await fund({ asset: 'XRP', amount: '25' });
    expect(await list()).toEqual({
      deposits: [
        {
          id: refid,
          asset: 'XRP',
          network: 'ripple',
          address,
          tag: expect.stringMatching(/^\d+$/) as string,
          amount: '25',
          fee: '0',
          status: 'confirmed',
          txHash: txid,
          createdAt: sandbox.clock.now.getTime(),
        },
      ],
      nextCursor: null,
    });
  });

  it('are in the balance only after they are confirmed', async () => {
    const { refid } = await fund({ asset: 'BTC', amount: '1', status: 'Settled' });
    expect((await list()).deposits).toMatchObject([{ id: refid, status: 'arriving' }]);
    expect(await client.balance()).toBe('5');
    expect((await sandbox.control('POST', `deposits/${refid}`, { status: 'Success' })).status).toBe(200);
    expect((await list()).deposits).toMatchObject([{ id: refid, status: 'confirmed' }]);
    expect(await client.balance()).toBe('6');
    expect((await sandbox.control('POST', `deposits/${refid}`, { status: 'Failure' })).status).toBe(409);
    const other = await fund({ asset: 'BTC', amount: '1', status: 'Settled' });
    await sandbox.control('POST', `deposits/${other.refid}`, { status: 'Failure' });
    expect((await list()).deposits[0]).toMatchObject({ status: 'failed' });
    expect(await client.balance()).toBe('6');
    expect((await sandbox.control('POST', 'deposits/nobody', { status: 'Success' })).status).toBe(404);
  });

  it('are listed in pages by their time of arrival, even when they were booked in another order', async () => {
    const now = sandbox.clock.now.getTime();
    const ids: string[] = [];
    for (const at of [now - 3000, now - 1000, now - 2000]) {
      ids.push((await fund({ asset: 'BTC', amount: '0.1', at })).refid);
    }
    const [oldest, newest, middle] = ids;
    const first = await list('?limit=2');
    expect(first.deposits.map(({ id }) => id)).toEqual([newest, middle]);
    expect(first.nextCursor).toBe(middle);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ deposits: [{ id: oldest }], nextCursor: null });
    expect((await list(`?since=${now - 2000}&until=${now - 2000}`)).deposits.map(({ id }) => id)).toEqual([middle]);
    expect((await list('?asset=ETH')).deposits).toEqual([]);
    expect((await list(`?id=${oldest}`)).deposits).toHaveLength(1);
    expect((await list('?cursor=nobody')).error?.code).toBe('invalid_request');
    expect((await list(`?asset=ETH&cursor=${middle}`)).error?.code).toBe('invalid_request');
  });

  it('need the permission to read, and support the faults of histories', async () => {
    const reader = await PartnerClient.open(sandbox, { permissions: ['withdraw'] });
    expect((await reader.call<ResponseBody>('GET', '/deposits')).body.error?.code).toBe('permission_missing');
    await fund({ asset: 'BTC', amount: '1' });
    await sandbox.arm('partner.deposits', 'history_lags', { delayMs: 1000 });
    expect((await list()).deposits).toEqual([]);
    await sandbox.arm('partner.deposits', 'history_errors');
    expect((await list()).error?.code).toBe('internal_error');
    expect((await list()).deposits).toHaveLength(1);
  });
});
