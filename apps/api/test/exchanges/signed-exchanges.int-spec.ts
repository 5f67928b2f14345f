import { holdingsOf, type ExchangeSession, type PreparedWithdrawal, type WithdrawalCapability } from '#exchange';
import { Amount } from '#money';
import { DURING_OUTAGE, SignedHarness, type OpenedAccount } from '../support/signed-harness.js';
import { signedExchanges } from '../support/signed-exchanges.js';

type Page = Awaited<ReturnType<NonNullable<ExchangeSession['history']>['page']>>;
type Opened = OpenedAccount & { withdrawals: WithdrawalCapability };

const ADDRESS = 'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp';
const XRP_ADDRESS = 'r32MzJoSozSZEUQgzXGErQk9uyBhqataFb';
const BEFORE_BOOKING = ['request_lost', 'error_before', 'malformed_before', 'service_unavailable', 'hang_before'];

describe.each(signedExchanges)('the connector of $id at the sandbox exchange', (facts) => {
  const { id, ...differs } = facts;
  let harness: SignedHarness;

  beforeAll(async () => {
    harness = await SignedHarness.start(facts);
  });
  afterAll(() => harness.close());
  afterEach(() => harness.sandbox.calm());

  async function open(balances?: Record<string, string>): Promise<Opened> {
    const account = await harness.open(balances);
    const { withdrawals } = account.session;
    if (withdrawals === undefined) throw new Error('no withdrawals');
    return { ...account, withdrawals };
  }

  /**
   * Returns a recent time. A search of years would need too many requests at exchanges where one request covers only a
   * short period.
   */
  const lately = (): Date => new Date(harness.clock.now().getTime() - 60_000);
  const prepare = ({ withdrawals }: Opened, clientRef = 'abc1'): Promise<PreparedWithdrawal> =>
    withdrawals.prepare({
      asset: 'BTC',
      network: 'bitcoin',
      address: ADDRESS,
      tag: null,
      clientRef,
      amountNoFee: Amount.of('0.01'),
      fee: Amount.of('0.00015'),
      amountWithFee: Amount.of('0.01015'),
    });
  const submit = ({ withdrawals }: Opened, prepared: PreparedWithdrawal) =>
    withdrawals.submit(prepared, { beforeSend: () => undefined });
  const find = (
    { withdrawals }: Opened,
    { request, clientRef }: PreparedWithdrawal,
    exchangeId: string | null = null,
  ) => withdrawals.find({ asset: 'BTC', network: 'bitcoin', request, clientRef, exchangeId, notBefore: lately() });

  it('reads the permissions of the key, and the balances', async () => {
    const { session } = await open();
    expect(await session.keyInfo()).toMatchObject({ permissions: differs.permissions, ipAllowlist: [] });
    const balances = await session.balances();
    const held = balances.map(({ asset, free, withdrawable }) => [asset, [String(free), String(withdrawable)]]);
    expect(Object.fromEntries(held)).toMatchObject({ BTC: ['1', '1'], USD: ['50000', '50000'], XRP: ['100', '100'] });
  });

  it('is refused with an unknown key, and with a wrong passphrase', async () => {
    const unknown = await harness.sessionOf({ ...(await harness.sandbox.open()), apiKey: 'unknown' });
    await expect(unknown.keyInfo()).rejects.toMatchObject({ kind: differs.unknownKey });
    if (!differs.hasPassphrase) return;
    const session = await harness.sessionOf(await harness.sandbox.open(), 'another');
    await expect(session.keyInfo()).rejects.toMatchObject({ kind: 'credentials_invalid' });
  });

  it('estimates the fee, and returns the requirements of the exchange', async () => {
    const { withdrawals } = await open();
    const [network] = await withdrawals.networks('BTC');
    if (network === undefined) throw new Error('BTC has a network');
    const quoted = { asset: 'BTC', network, address: ADDRESS, tag: null, amount: Amount.of('0.01'), includeFee: true };
    expect(await withdrawals.estimate(quoted)).toMatchObject({
      amountNoFee: Amount.of('0.00985'),
      fee: Amount.of('0.00015'),
      amountWithFee: Amount.of('0.01'),
      minWithdrawal: Amount.of('0.00055'),
      requirements: differs.requirements.map((type) => ({ type })),
    });
  });

  it('withdraws exactly the ordered amount, and finds the record with and without the exchange’s id', async () => {
    const account = await open();
    const prepared = await prepare(account);
    const outcome = await submit(account, prepared);
    const [booked, ...others] = await harness.sandbox.withdrawals(account);
    expect(others).toEqual([]);
    expect(booked).toMatchObject({ amount: '0.01', fee: '0.00015', address: ADDRESS });
    expect(outcome).toMatchObject({ kind: 'accepted', exchangeId: booked?.refid });
    const found = { exchangeId: booked?.refid, status: 'pending', isCertain: true, amountNoFee: Amount.of('0.01') };
    expect(await find(account, prepared)).toMatchObject([found]);
    expect(await find(account, prepared, booked?.refid)).toMatchObject([found]);
    await harness.sandbox.settle(booked?.refid ?? '', 'Success');
    expect(await find(account, prepared)).toMatchObject([{ status: 'completed', hash: expect.any(String) as string }]);
  });

  it('shows at once that an accepted withdrawal has lowered the free balance', async () => {
    const account = await open({ BTC: '1' });
    const held = async () => holdingsOf(account.session.exchange, await account.session.balances(), 'BTC');
    expect((await submit(account, await prepare(account))).kind).toBe('accepted');
    const [{ refid = '' } = {}] = await harness.sandbox.withdrawals(account);
    const keepsInTotal = ['binance', 'kucoin'].includes(facts.id);
    expect(await held()).toEqual({ free: Amount.of('0.98985'), total: Amount.of(keepsInTotal ? '1' : '0.98985') });
    await harness.sandbox.settle(refid, 'Success');
    expect(await held()).toEqual({ free: Amount.of('0.98985'), total: Amount.of('0.98985') });
  });

  it('lists the changes of the account that pays withdrawals, if at all, with the balance after each', async () => {
    const account = await open({ BTC: '1' });
    harness.clock.advance(10_000);
    const since = harness.clock.now();
    const prepared = await prepare(account);
    expect((await submit(account, prepared)).kind).toBe('accepted');
    await harness.sandbox.fund(account, 'BTC', '0.5');
    const paying = await account.withdrawals.payingAccount?.('BTC', since);
    expect(paying !== undefined).toBe(['okx', 'bybit'].includes(facts.id));
    if (paying === undefined) return;
    const { total, held, changes } = paying;
    expect([total, held].map(String)).toEqual(['1.48985', '0']);
    const listed = changes.map(({ change, after, at }) => [String(change), String(after), at >= since]);
    expect(listed).toEqual([
      ['0.5', '1.48985', true],
      ['-0.01015', '0.98985', true],
      ['1', '1', false],
    ]);
    expect(changes[1]?.clientRef).toBe(prepared.clientRef);
  });

  it('withdraws with exactly the ordered tag, and lists the withdrawal', async () => {
    const account = await open();
    const prepared = await account.withdrawals.prepare({
      asset: 'XRP',
      network: 'ripple',
      address: XRP_ADDRESS,
      tag: '1000001',
      clientRef: 'tagged',
      amountNoFee: Amount.of('10'),
      fee: Amount.of('0.2'),
      amountWithFee: Amount.of('10.2'),
    });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'accepted' });
    expect(await harness.sandbox.withdrawals(account)).toMatchObject([{ address: XRP_ADDRESS, memo: '1000001' }]);
    expect(await account.withdrawals.list(lately())).toMatchObject({
      records: [{ address: XRP_ADDRESS, clientRef: differs.class === 'by_reference' ? 'tagged' : null }],
      isComplete: true,
    });
  });

  const instruction = {
    asset: 'BTC',
    network: 'bitcoin',
    address: ADDRESS,
    tag: null,
    clientRef: 'abc1',
    amountNoFee: Amount.of('0.01'),
    fee: Amount.of('0.00015'),
    amountWithFee: Amount.of('0.01015'),
  };

  it('gets a refusal for a withdrawal to an address that is not saved', async () => {
    const account = await open();
    const elsewhere = { ...instruction, address: 'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6' };
    // Connectors that read the address book refuse in `prepare`. With the others, the exchange refuses the submission.
    const refused = account.withdrawals.prepare(elsewhere).then(
      (prepared) => submit(account, prepared),
      (error: unknown) => error,
    );
    expect(await refused).toMatchObject({ code: 'WITHDRAWAL_INVALID_ADDRESS', reason: 'address_not_allowlisted' });
    expect(await harness.sandbox.withdrawals(account)).toEqual([]);
  });

  it('rejects a withdrawal below the minimum or leaves its outcome unknown, and the exchange books nothing', async () => {
    const account = await open();
    const amounts = { amountNoFee: Amount.of('0.0001'), amountWithFee: Amount.of('0.00025') };
    const prepared = await account.withdrawals.prepare({ ...instruction, ...amounts });
    expect(await submit(account, prepared)).toMatchObject(differs.belowMinimum);
    expect(await harness.sandbox.withdrawals(account)).toEqual([]);
  });

  it('leaves the outcome unknown when the balance is too low, because an earlier copy of the request may have used it', async () => {
    const account = await open({ BTC: '0.01' });
    const prepared = await prepare(account);
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown', reason: differs.noMoney });
    expect(await find(account, prepared)).toEqual([]);
  });

  it.each(DURING_OUTAGE)('finds the withdrawal whose outcome is unknown after the fault %s', async (fault) => {
    const account = await open();
    const prepared = await prepare(account);
    await harness.sandbox.arm({ endpoint: `${id}.withdraw`, fault });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown' });
    const [booked] = await harness.sandbox.withdrawals(account);
    expect(await find(account, prepared)).toMatchObject([{ exchangeId: booked?.refid, isCertain: true }]);
    expect(await harness.sandbox.countCalls(account, `${id}.withdraw`)).toBe(1);
  });

  it.each(BEFORE_BOOKING)('finds no withdrawal when the fault %s prevented the booking', async (fault) => {
    const account = await open();
    const prepared = await prepare(account);
    await harness.sandbox.arm({ endpoint: `${id}.withdraw`, fault });
    expect(await submit(account, prepared)).toMatchObject({ kind: 'unknown' });
    expect(await find(account, prepared)).toEqual([]);
  });

  it('finds every withdrawal that the exchange has booked for a request that the network delivers twice', async () => {
    const account = await open();
    const prepared = await prepare(account);
    await harness.sandbox.arm({ endpoint: `${id}.withdraw`, fault: 'delivered_twice' });
    const kind = differs.booksRepeats ? 'accepted' : 'unknown';
    expect(await submit(account, prepared)).toMatchObject({ kind });
    const count = differs.booksRepeats ? 2 : 1;
    expect(await find(account, prepared)).toHaveLength(count);
    expect(await harness.sandbox.withdrawals(account)).toHaveLength(count);
  });

  it('does not treat an expired timestamp as a definite refusal', async () => {
    const account = await open();
    await harness.sandbox.arm({ endpoint: `${id}.withdraw`, fault: 'clock_jump', delayMs: 61_000 });
    expect(await submit(account, await prepare(account))).toMatchObject({ kind: 'unknown' });
    await harness.sandbox.arm({ endpoint: `${id}.account`, fault: 'clock_jump', delayMs: -61_000 });
    await expect(account.session.keyInfo()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('reads all deposits and all withdrawals of the history, page by page', async () => {
    const account = await open();
    const to = new Date(harness.clock.now().getTime() - 60_000);
    const from = new Date(to.getTime() - 86_400_000);
    await harness.sandbox.makeHistory(account, { deposits: 230, withdrawals: 120, from, to, asset: 'SOL' });
    for (const [kind, count] of [
      ['deposit', 230],
      ['withdrawal', 120],
    ] as const) {
      const ids = new Set<string>();
      let cursor: string | null = null;
      do {
        const page: Page | undefined = await account.session.history?.page(
          kind,
          { since: from, until: harness.clock.now() },
          cursor,
        );
        for (const { exchangeId, network } of page?.records ?? []) {
          expect(network).not.toBeNull();
          ids.add(exchangeId);
        }
        expect(page?.unreadable).toBe(0);
        cursor = page?.nextCursor ?? null;
      } while (cursor !== null);
      expect([kind, ids.size]).toEqual([kind, count]);
    }
  });

  it('returns deposit addresses with their tags, and refuses an address without a tag or of another network', async () => {
    const { session } = await open();
    const { deposits } = session;
    const [ripple] = (await deposits?.methods('XRP')) ?? [];
    if (ripple === undefined) throw new Error('XRP has a network');
    if (ripple.canGenerateAddress) await deposits?.create?.(ripple);
    expect(await deposits?.addresses(ripple)).toMatchObject([{ tag: expect.stringMatching(/^\d+$/) as string }]);
    await harness.sandbox.arm({ endpoint: `${id}.deposit.addresses`, fault: 'tag_missing' });
    await expect(deposits?.addresses(ripple)).rejects.toMatchObject({ reason: 'tag_missing' });
    await harness.sandbox.arm({ endpoint: `${id}.deposit.addresses`, fault: 'other_network' });
    await expect(deposits?.addresses(ripple)).rejects.toThrow('unsafe deposit address');
  });
});
