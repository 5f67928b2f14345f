/** No address of a host name was found: DNS has none, has failed, or has not answered in time (`isTimeOut`). */
export class NoAddressFound extends Error {
  constructor(hostname: string, { isTimeOut = false } = {}) {
    super(`no address of ${hostname} was found${isTimeOut ? ': the look-up takes too long' : ''}`);
  }
}
