import { Secret, Vault } from '#platform/crypto';
import { Amount } from '#money';
import { DeleteWallet } from '../../../wallet/src/delete-wallet.js';
import { connectedWallet } from '#wallet/testing';
import { WithdrawalBed, backUp } from '../testing/index.js';
import { RestoredDatabase } from '../epoch/restored-database.js';
import { EpochChecks } from '../epoch/epoch-checks.js';
import { CompareWallet } from '../epoch/compare-wallet.js';
import { GetWithdrawal } from './get-withdrawal.js';
import { toStandingResponse } from './withdrawal-standing.dto.js';

const s = (t: string) => new Secret(t);
const G = { type: 'GOOGLE', code: '111111' } as const;
const E = { type: 'EMAIL', code: '222222' } as const;
let bed: WithdrawalBed;
beforeEach(async () => { bed = await WithdrawalBed.create(); });
afterEach(() => bed.close());
const told = (p: Promise<unknown>) => p.then((a) => ({ ok: a }), (e: any) => ({ code: e.code, status: e.status, details: e.details, message: e.message }));
const tick = () => new Promise((r) => setImmediate(r));

/** A hangs in its first read; returns release */
function holdFirstRead() {
  let release!: () => void;
  const gate = new Promise<void>((r) => (release = r));
  const venue = bed.venue as any;
  const real = venue.read.bind(venue);
  let n = 0;
  venue.read = async (answer: any) => { if (n++ === 0) await gate; return real(answer); };
  return release;
}

it('T1 B is told insufficient balance while A paid', async () => {
  bed.venue.balance = Amount.of('1.5');
  const quote = await bed.quote();
  let releaseB!: () => void;
  const gateB = new Promise<void>((r) => (releaseB = r));
  let releaseA!: () => void;
  const gateA = new Promise<void>((r) => (releaseA = r));
  const venue = bed.venue as any;
  const real = venue.read.bind(venue);
  let n = 0;
  venue.read = async (answer: any) => { const i = n++; if (i === 0) await gateA; if (i === 1) await gateB; return real(answer); };
  const a = told(bed.execute(quote));
  while (n < 1) await tick();
  bed.clock.advance(5_001);
  const b = told(bed.execute(quote, { autoDeleteIfInvalid: false }));
  while (n < 2) await tick();
  releaseA();
  const answerA = await a;
  bed.venue.balance = Amount.of('0.4999');
  releaseB();
  console.log('T1', JSON.stringify(answerA), JSON.stringify(await b), bed.venue.ledger.length);
});

it('T2 B told 502 not moved, A pays, new quote pays again', async () => {
  const quote = await bed.quote();
  const release = holdFirstRead();
  const a = told(bed.execute(quote));
  await new Promise((r) => setTimeout(r, 300));
  bed.clock.advance(5_001);
  bed.venue.isDown = true;
  const b = await told(bed.execute(quote, { autoDeleteIfInvalid: false }));
  bed.venue.isDown = false;
  release();
  const ra = await a;
  const q2 = await bed.quote();
  const c = await told(bed.execute(q2));
  console.log('T2', JSON.stringify(b), JSON.stringify(ra), JSON.stringify(c), 'LEDGER', bed.venue.ledger.length);
});

it('T3 bizNo dead end after expiry', async () => {
  bed.venue.challenges.require([G, E]);
  const quote = await bed.quote();
  const first: any = await told(bed.execute(quote));
  const bizNo = first.details.result.bizNo;
  await told(bed.execute(quote, { codes: { twofa: s('111111') }, bizNo }));
  bed.venue.challenges.expire();
  const r1: any = await told(bed.execute(quote, { codes: { emailCode: s('222222') }, bizNo }));
  const r2: any = await told(bed.execute(quote));
  const r3: any = await told(bed.execute(quote, { bizNo }));
  console.log('T3', JSON.stringify([r1, r2, r3].map((r) => [r.code, r.details, r.message])));
});

it('T4 hold overrun: code sent twice, wrong code count lost', async () => {
  bed.venue.challenges.require([G, E]);
  const quote = await bed.quote();
  const first: any = await told(bed.execute(quote));
  const bizNo = first.details.result.bizNo;
  for (const c of ['1', '2', '3']) await told(bed.execute(quote, { codes: { twofa: s(c) }, bizNo }));
  let open!: () => void;
  bed.venue.challenges.gate = new Promise((r) => (open = r));
  const slow = told(bed.execute(quote, { codes: { twofa: s('4') }, bizNo }));
  await new Promise((r) => setTimeout(r, 300));
  bed.clock.advance(50_001);
  const other = told(bed.execute(quote, { codes: { twofa: s('4') }, bizNo, autoDeleteIfInvalid: false }));
  await new Promise((r) => setTimeout(r, 300));
  open();
  await slow; await other;
  const [row] = await bed.db.query<any>(`select wrong_codes, jsonb_array_length(attempts) as n from withdrawal_challenges where quote_id = $1`, [quote.id]);
  console.log('T4', row, bed.venue.challenges.received, JSON.stringify(await other));
});

it('T5 sealed codes stay for ever', async () => {
  bed.venue.challenges.require([G, E], { mode: 'all_at_once' });
  const quote = await bed.quote();
  const first: any = await told(bed.execute(quote));
  await told(bed.execute(quote, { codes: { twofa: s('111111') }, bizNo: first.details.result.bizNo }));
  bed.clock.advance(400_000);
  await bed.work(3);
  await bed.get(DeleteWallet).execute(bed.project, bed.wallet.walletId);
  bed.clock.advance(40 * 86_400_000);
  await bed.work(3);
  console.log('T5', (await bed.withdrawalOf(quote)).state, await bed.db.query(`select sealed_codes is not null as kept from withdrawal_challenges where quote_id=$1`, [quote.id]));
});

it('T6 reconnect after restore', async () => {
  const restore = await backUp(bed.ownerUrl);
  const q = await bed.quote();
  await bed.execute(q);
  await restore();
  await bed.get(RestoredDatabase).notice();
  const again = await told(bed.execute(await bed.quote()));
  await bed.get(DeleteWallet).execute(bed.project, bed.wallet.walletId);
  bed.wallet = await connectedWallet(bed.db, bed.project, { walletId: bed.wallet.walletId, vault: bed.get(Vault), createdAt: bed.clock.now() });
  bed.clock.advance(1000);
  const paid = await told(bed.execute(await bed.quote()));
  for (let i = 0; i < 15; i++) {
    await bed.get(RestoredDatabase).notice(); await bed.work(1, 0);
    for (const id of await bed.get(EpochChecks).takeDue(bed.clock.now())) await bed.get(CompareWallet).execute(id);
    bed.clock.advance(60_000);
  }
  console.log('T6', JSON.stringify(again), JSON.stringify(paid), 'LEDGER', bed.venue.ledger.length, await bed.db.query('select * from withdrawal_orphans'));
});

it('T6b wallet connected after the backup', async () => {
  const restore = await backUp(bed.ownerUrl);
  const walletId = 'w-since';
  bed.wallet = await connectedWallet(bed.db, bed.project, { walletId, vault: bed.get(Vault), createdAt: bed.clock.now() });
  const q = await bed.quote();
  await bed.execute(q);
  await restore();
  await bed.get(RestoredDatabase).notice();
  const repeat = await told(bed.execute(q));
  bed.wallet = await connectedWallet(bed.db, bed.project, { walletId, vault: bed.get(Vault), createdAt: bed.clock.now() });
  bed.clock.advance(1000);
  const paid = await told(bed.execute(await bed.quote()));
  console.log('T6b', JSON.stringify(repeat), JSON.stringify(paid), 'LEDGER', bed.venue.ledger.length);
});

it('T8 a turn of a host whose clock is ahead', async () => {
  const quote = await bed.quote();
  // a process whose clock is ten minutes ahead took the turn and died
  await bed.db.query(`insert into quote_turns values ($1, $2)`, [quote.id, new Date(bed.clock.now().getTime() + 605_000)]);
  const t0 = bed.clock.now().getTime();
  const r = await told(bed.execute(quote));
  console.log('T8', JSON.stringify(r), 'waited', bed.clock.now().getTime() - t0);
});

it('T9 collected codes are gone after a 502', async () => {
  bed.venue.challenges.require([G, E], { mode: 'all_at_once' });
  const quote = await bed.quote();
  const first: any = await told(bed.execute(quote));
  const bizNo = first.details.result.bizNo;
  await told(bed.execute(quote, { codes: { twofa: s('111111') }, bizNo }));
  bed.venue.script = Array(5).fill('not_sent');
  const r502: any = await told(bed.execute(quote, { codes: { emailCode: s('222222') }, bizNo }));
  const again: any = await told(bed.execute(quote, { bizNo }));
  console.log('T9', r502.status, r502.message, again.code, JSON.stringify(again.details?.result?.mfa), bed.venue.challenges.received);
});

it('T10 single method lock', async () => {
  bed.venue.script = Array(6).fill('verify');
  const quote = await bed.quote();
  await told(bed.execute(quote));
  let last: any;
  for (const c of ['1', '2', '3', '4', '5']) last = await told(bed.execute(quote, { codes: { twofa: s(c) } }));
  const standing = toStandingResponse(await bed.get(GetWithdrawal).execute(bed.project, bed.wallet.walletId, quote.id));
  console.log('T10', JSON.stringify(last), standing.status, standing.locked);
});

it('T21 a wallet deleted during an execution of a waiting withdrawal', async () => {
  bed.venue.script = ['verify'];
  const quote = await bed.quote();
  await told(bed.execute(quote));
  const venue = bed.venue as any;
  const real = venue.read.bind(venue);
  let done = false;
  venue.read = async (answer: any) => { if (!done) { done = true; await bed.get(DeleteWallet).execute(bed.project, bed.wallet.walletId); } return real(answer); };
  const r = await told(bed.execute(quote, { codes: { twofa: s('1') } }));
  console.log('T21', JSON.stringify(r), bed.venue.ledger.length);
});
