/** The target of a webhook is not on the public Internet. Nothing was sent to it. */
export class TargetRefused extends Error {
  constructor(hostname: string) {
    super(`${hostname} has an address that is not public; webhooks are sent to public addresses only`);
  }
}
