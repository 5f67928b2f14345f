import { startAgain, withInstallation, type Installation } from './installation.js';

const TIMEOUT_MS = 180_000;

describe('two APIs and two workers behind nginx, with Redis, under load', () => {
  let installation: Installation;
  withInstallation((started) => (installation = started), TIMEOUT_MS);

  const rollingRestart = async () => {
    const { load, members } = installation;
    await installation.moreRequests();
    for (const member of members) {
      member.process.child.kill('SIGTERM');
      expect(await member.process.exitCode()).toBe(0);
      await startAgain(member);
      await installation.moreRequests();
    }
    await load.stop();
    expect(load.failures.map(({ request, problem }) => `${request}: ${problem}`)).toEqual([]);
    expect(load.executed).toHaveLength(load.begun);
    expect(await installation.countUnpaid()).toBe(0);
  };
  it('refuse no request and pay every withdrawal once during a rolling restart', rollingRestart, TIMEOUT_MS);

  const kills = async () => {
    const { load, members } = installation;
    await installation.moreRequests();
    for (const member of members) {
      member.process.child.kill('SIGKILL');
      await installation.moreRequests();
      await startAgain(member);
      await installation.moreRequests();
    }
    await load.stop();
    const failed = load.failures.map(({ request, problem }) => `\n  ${request}: ${problem.split('\n')[0]}`);
    process.stdout.write(`four kills: ${failed.length} of ${load.sent} requests failed${failed.join('')}\n`);
    expect(failed.length).toBeLessThan(load.sent / 20);
    await load.repeatUnanswered();
    expect(load.unanswered).toEqual([]);
    // A withdrawal that a killed process had not sent is proven absent and fails. Not every kill causes such a
    // withdrawal.
    expect(await installation.countUnpaid()).toBeLessThan(members.length);
  };
  it('pay no withdrawal twice and settle every withdrawal when each process is killed in turn', kills, TIMEOUT_MS);
});
