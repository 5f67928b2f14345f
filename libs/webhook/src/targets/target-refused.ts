/** The target of a webhook is not on the public Internet, or is not https. Nothing was sent to it. */
export class TargetRefused extends Error {
  constructor(target: string, why = 'has an address that is not public; webhooks are sent to public addresses only') {
    super(`${target} ${why}`);
  }
}
