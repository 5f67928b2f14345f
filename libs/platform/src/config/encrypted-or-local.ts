const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a request to the URL is encrypted, or does not leave this machine. */
export function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname);
}
