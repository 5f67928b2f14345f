/**
 * The packages that are bundled: those with the most files, because loading many files delays each start of a process.
 * The values are the paths inside of a package that the sources, or another package, import.
 */
const packages: Readonly<Record<string, readonly string[]>> = {
  '@nestjs/bullmq': [],
  '@nestjs/common': ['constants.js', 'enums/route-paramtypes.enum.js'],
  '@nestjs/core': ['helpers/execution-context-host.js'],
  '@nestjs/platform-fastify': [],
  '@nestjs/swagger': [],
  '@nestjs/testing': [],
  '@nestjs/typeorm': [],
  bullmq: [],
  // @nestjs/mapped-types requires this path.
  'class-transformer': ['cjs/storage.js'],
  'class-validator': [],
  fastify: [],
  ioredis: [],
  'prom-client': [],
  rxjs: [],
  typeorm: ['util/ApplyValueTransformers.js'],
  undici: [],
  zod: [],
};

export interface BundledPackage {
  name: string;
  /** The imported specifiers: the name itself, and the name with a path. */
  specifiers: readonly string[];
}

export const bundledPackages: readonly BundledPackage[] = Object.entries(packages).map(([name, paths]) => ({
  name,
  specifiers: [name, ...paths.map((path) => `${name}/${path}`)],
}));
