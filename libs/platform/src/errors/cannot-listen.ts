/** A server of this process cannot listen on its address. The message is for the operator. */
export class CannotListen extends Error {
  constructor(host: string, port: number, cause: unknown) {
    super(problemOf(host, port, cause), { cause });
    this.name = 'CannotListen';
  }
}

function problemOf(host: string, port: number, cause: unknown): string {
  const { code, syscall } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${host}:${port} is in use by another process`;
  const remedy = 'use an address of this machine, such as 127.0.0.1 or 0.0.0.0';
  if (code === 'EADDRNOTAVAIL') return `HOST: this machine has no address ${host} (${code}); ${remedy}`;
  if (syscall === 'getaddrinfo') return `HOST: the name ${host} cannot be looked up (${code}); ${remedy}`;
  return `cannot listen on ${host}:${port} (${code ?? String(cause)})`;
}
