const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether nobody between this machine and the server of the URL can read or change a request. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname);
}
