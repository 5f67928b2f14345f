import { rmSync } from 'node:fs';
import path from 'node:path';
import { writeImage } from './write-image.js';

/** Writes the files of the container image into `dist/image`, after `npm run build`. */
const dist = path.resolve(import.meta.dirname, '../../..');
const image = path.join(dist, 'image');
rmSync(image, { recursive: true, force: true });
await writeImage(path.dirname(dist), image);
