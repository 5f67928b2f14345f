import { Shutdown } from './shutdown.js';

describe('a stopping process', () => {
  /** Work that ends when the test ends it. */
  function work(): { done: Promise<void>; end: () => void; fail: (error: Error) => void } {
    let end = (): void => undefined;
    let fail: (error: Error) => void = () => undefined;
    const done = new Promise<void>((resolve, reject) => {
      end = resolve;
      fail = reject;
    });
    return { done, end, fail };
  }

  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function begin(shutdown: Shutdown): Promise<{ isOver: () => boolean; over: Promise<void> }> {
    let isOver = false;
    const over = shutdown.begin().then(() => void (isOver = true));
    await turn();
    return { isOver: () => isOver, over };
  }

  it('waits for all work that requests have begun, also when some of it fails', async () => {
    const shutdown = new Shutdown();
    const [one, other] = [work(), work()];
    shutdown.addWork(one.done);
    shutdown.addWork(other.done);
    const { isOver, over } = await begin(shutdown);
    one.fail(new Error('no answer'));
    await turn();
    expect(isOver()).toBe(false);
    other.end();
    await over;
  });

  it('waits for work that its last requests begin', async () => {
    const shutdown = new Shutdown();
    const [request, late] = [work(), work()];
    shutdown.waitFor(() => request.done);
    const { isOver, over } = await begin(shutdown);
    shutdown.addWork(late.done);
    request.end();
    await turn();
    expect(isOver()).toBe(false);
    late.end();
    await over;
  });
});
