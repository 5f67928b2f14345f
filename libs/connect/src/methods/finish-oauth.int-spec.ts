import { Shutdown } from '#platform/lifecycle';
import { authorizedAs } from '#wallet/testing';
import { createConnectHarness } from '../testing/connect-harness.js';

describe('a connect in progress', () => {
  it('delays the stop of its process until it has ended, because the browser may already have been redirected', async () => {
    const harness = await createConnectHarness();
    try {
      const opened = await harness.open(await harness.fresh());
      const { asked, answer } = harness.holdFinish();
      const connected = harness.authorize(opened);
      await asked;
      const stopped = harness.get(Shutdown).begin();
      answer(authorizedAs('finished'));
      await stopped;
      expect(await harness.sessionOf(opened.idem)).toMatchObject({ state: 'connected' });
      expect(await connected).toBeNull();
    } finally {
      await harness.close();
    }
  });
});
