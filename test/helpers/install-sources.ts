import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { doors, pathOf } from '../surface/doors.ts'

/** Links this package into a website, with exports that lead to the sources, and the supported frameworks. */
export function installSources(folder: string): void {
  mkdirSync(join(folder, 'node_modules/@hono'), { recursive: true })
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server'])
    symlinkSync(pathOf(`node_modules/${name}`), join(folder, 'node_modules', name))
  const place = join(folder, 'node_modules/content-orchestrator')
  mkdirSync(place, { recursive: true })
  symlinkSync(pathOf('.'), join(place, 'source'))
  const exports = doors().map(({ address, file }) => [
    address.replace('content-orchestrator', '.'),
    `./source/${file}`,
  ])
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ name: 'content-orchestrator', type: 'module', exports: Object.fromEntries(exports) }),
  )
}
