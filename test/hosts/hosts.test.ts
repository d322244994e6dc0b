import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { installBuilt } from '../helpers/built-package.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { pathOf } from '../surface/doors.ts'
import { scenario } from './scenario.ts'
import { startSite } from './start-site.ts'

const hosts = ['node-http', 'express', 'fastify', 'hono']
const folder = temporaryFolder(t)
await installBuilt(join(folder, 'node_modules'))

t.jobs = 2

for (const host of hosts) {
  t.test(host, { buffered: true }, async (t) => {
    const copies = join(folder, host)
    const cwd = join(copies, host)
    for (const part of [host, 'site']) await cp(pathOf(`test/hosts/${part}`), join(copies, part), { recursive: true })
    await cp(pathOf('test/hosts/site/pages.json'), join(cwd, 'content/pages.json'))
    await scenario(t, await startSite(t, { cwd, command: [process.execPath, 'server.ts'] }))
  })
}
