import { KeysUnavailable } from './keys-unavailable.js';
import { RemoteCalls } from './remote-calls.js';

const failing = (calls: RemoteCalls): Promise<unknown> => calls.run(() => Promise.reject(new Error('scripted')));

describe('the calls to the service of a key', () => {
  it('are at most 64 at the same time, and further ones are refused at once', async () => {
    const calls = new RemoteCalls('the key');
    let finish = (): void => undefined;
    const end = new Promise<void>((resolve) => (finish = resolve));
    let begun = 0;
    const call = (): Promise<void> =>
      calls.run(async () => {
        begun += 1;
        await end;
      });
    const running = Array.from({ length: 64 }, call);
    await expect(call()).rejects.toThrow(KeysUnavailable);
    expect(begun).toBe(64);
    finish();
    await Promise.all(running);
    await call();
    expect(begun).toBe(65);
  });

  it('go on after failures that are not in a row', async () => {
    const calls = new RemoteCalls('the key');
    for (let round = 0; round < 3; round++) {
      for (let failures = 0; failures < 4; failures++) await expect(failing(calls)).rejects.toThrow(KeysUnavailable);
      expect(await calls.run(() => Promise.resolve('answered'))).toBe('answered');
    }
  });
});
