import { join } from 'node:path'
import t from 'tap'
import { installBuilt } from '../helpers/built-package.ts'
import { temporaryFolder } from '../helpers/stack.ts'
import { copyExample } from './copy-example.ts'
import { scenario } from './scenario.ts'
import { startSite } from './start-site.ts'

const folder = temporaryFolder(t)
await installBuilt(join(folder, 'node_modules'))

t.jobs = 2

for (const host of ['node-http', 'express', 'fastify', 'hono']) {
  t.test(host, { buffered: true }, async (t) => {
    const cwd = await copyExample(join(folder, host), host)
    await scenario(t, await startSite(t, { cwd, script: ['server.ts'] }))
  })
}
