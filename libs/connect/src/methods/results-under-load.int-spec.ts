import type { ProjectIdentity } from '#access';
import { currentLoad, runWithLoad, type LoadClass } from '#platform/load';
import { authorizedAs } from '#wallet/testing';
import { createConnectHarness, type ConnectHarness } from '../testing/connect-harness.js';
import { BeginQr } from './begin-qr.js';
import { ReadQr } from './read-qr.js';

const PAUSE_MS = 1_001;

/** The exchange returns credentials once, so they must be stored while ordinary requests wait for the database. */
describe('credentials that the exchange returns to an ordinary request', () => {
  let harness: ConnectHarness;
  let project: ProjectIdentity;
  let loadClass: LoadClass | undefined;

  beforeAll(async () => {
    harness = await createConnectHarness();
  });
  afterAll(() => harness.close());
  beforeEach(async () => {
    project = await harness.fresh();
    loadClass = undefined;
  });

  const ordinary = <T>(work: () => Promise<T>): Promise<T> => runWithLoad({ loadClass: 'ordinary' }, work);

  it('are requested in the load class money at the end of an authorization', async () => {
    harness.script.finish = () => {
      loadClass = currentLoad()?.loadClass;
      return Promise.resolve(authorizedAs('finished'));
    };
    const opened = await harness.open(project);
    await ordinary(() => harness.authorize(opened));
    expect([loadClass, await harness.sessionOf(opened.idem)]).toMatchObject(['money', { state: 'connected' }]);
  });

  it('are requested in the load class money during a login with the app of the exchange', async () => {
    harness.script.readQr = () => {
      loadClass = currentLoad()?.loadClass;
      return Promise.resolve({ status: 'confirmed', authorized: authorizedAs('finished') });
    };
    const { idem, token, browser } = await harness.open(project);
    await harness.get(BeginQr).execute(token, browser);
    harness.clock.advance(PAUSE_MS);
    await ordinary(() => harness.get(ReadQr).execute(token, browser));
    expect([loadClass, await harness.sessionOf(idem)]).toMatchObject(['money', { state: 'connected' }]);
  });
});
