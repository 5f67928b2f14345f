import path from 'node:path';
import { Problem } from './problem.js';

/** Addresses and folders of one local installation. */
export interface Settings {
  /** Root folder of the project, four levels above dist/apps/local/src/. */
  root: string;
  /** Folder of everything that `npm start` writes. */
  dataDir: string;
  host: string;
  port: number;
  workerPort: number;
  sandboxPort: number;
  metricsPort: number;
  workerMetricsPort: number;
  postgresPort: number;
  /** A server of the user; null uses the embedded database. */
  database: {
    ownerUrl: string;
    /** One connection for all processes; null = the launcher creates a role for each process. */
    jointUrl: string | null;
    rolePrefix: string;
  } | null;
  /** The environment of the child processes, without the variables that the launcher sets. */
  environment: NodeJS.ProcessEnv;
}

const PORT = 8787;
const POSTGRES_PORT = 54_320;

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const root = path.resolve(import.meta.dirname, '../../../..');
  const port = portOf(env, 'PORT', PORT);
  return {
    root,
    dataDir: path.join(root, '.local'),
    host: '127.0.0.1',
    port,
    workerPort: portOf(env, 'WORKER_PORT', port + 1),
    sandboxPort: portOf(env, 'SANDBOX_PORT', port + 3),
    metricsPort: portOf(env, 'METRICS_PORT', port + 4),
    workerMetricsPort: portOf(env, 'WORKER_METRICS_PORT', port + 5),
    postgresPort: portOf(env, 'POSTGRES_PORT', POSTGRES_PORT),
    database: databaseOf(env),
    environment: env,
  };
}

function portOf(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name] ?? '';
  const port = text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Problem(`${name} must be a port from 1 to 65535`);
  return port;
}

function databaseOf(env: NodeJS.ProcessEnv): Settings['database'] {
  const { DATABASE_URL, DATABASE_OWNER_URL, DATABASE_ROLE_PREFIX } = env;
  if (DATABASE_OWNER_URL)
    return {
      ownerUrl: DATABASE_OWNER_URL,
      jointUrl: DATABASE_URL || null,
      rolePrefix: DATABASE_ROLE_PREFIX || 'causeway',
    };
  if (!DATABASE_URL) return null;
  throw new Problem(
    'Set DATABASE_OWNER_URL (the owner of the tables) for your own server. DATABASE_URL alone does not suffice',
  );
}
